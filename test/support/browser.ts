import { CookieJar } from "tough-cookie";

/** What a page would send of its own will. */
export interface PageRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
}

/** Keeps cookies as browsers do, and follows no redirect by itself. */
export class Browser {
  readonly cookies = new CookieJar();

  async send(url: string, { headers, ...request }: PageRequest = {}): Promise<Response> {
    const cookie = await this.cookies.getCookieString(url);
    const response = await fetch(url, {
      ...request,
      redirect: "manual",
      headers: { ...headers, ...(cookie !== "" && { cookie }) },
    });
    for (const given of response.headers.getSetCookie()) await this.cookies.setCookie(given, url);
    return response;
  }

  /** Sends JSON, and reads JSON. */
  async ask<Body>(
    url: string,
    { method = "GET", body, headers }: { method?: string; body?: object; headers?: Record<string, string> } = {},
  ): Promise<{ readonly status: number; readonly body: Body; readonly headers: Headers }> {
    const response = await this.send(url, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text === "" ? null : JSON.parse(text)) as Body,
      headers: response.headers,
    };
  }

  /** Goes where it is sent, until a page comes, or an address beyond which the test does not want to go. */
  async follow(
    url: string,
    until: (url: string) => boolean = () => false,
    request: PageRequest = {},
  ): Promise<Visited> {
    let visited: Visited = { url, response: await this.send(url, request) };
    for (;;) {
      const next = visited.response.headers.get("location");
      if (next === null) return visited;
      const target = new URL(next, visited.url).href;
      if (until(target)) return { ...visited, url: target };
      visited = { url: target, response: await this.send(target) };
    }
  }
}

/** Where a browser has come to. */
export interface Visited {
  readonly url: string;
  readonly response: Response;
}
