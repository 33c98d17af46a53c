import type { Browser, Page } from "playwright-core";
import { visit } from "../../test/support/chromium.js";
import { atMost, median, type Measurement } from "../measure.js";
import type { ServiceProcess } from "../processes.js";

/** A service whose dashboard is measured, and the browser of somebody who is signed in there with every role. */
export interface Dashboard {
  readonly service: ServiceProcess;
  readonly browser: Browser;
  readonly cookie: string;
}

/** Works in a page of a browser that knows nothing of the dashboard but its session. A fault of the page is thrown. */
export async function inNewBrowser<Figure>(
  { service: { url }, browser, cookie }: Dashboard,
  path: string,
  measure: (page: Page) => Promise<Figure>,
  /** Runs in each page before its own. */
  script = "",
): Promise<Figure> {
  const [name = "", value = ""] = cookie.split("=");
  const { page, context, faults } = await visit(browser, url, path, {}, async (prepared) => {
    await prepared.addCookies([{ name, value, url }]);
    await prepared.addInitScript(clock + script);
  });
  try {
    const figure = await measure(page);
    if (faults().length > 0) throw new Error(`${path}: ${faults().join("; ")}`);
    return figure;
  } finally {
    await context.close();
  }
}

/** Sends a write that has to succeed; answers with its consistency token. */
export async function write({ service }: Dashboard, path: string, body: object): Promise<string> {
  const answer = await fetch(`${service.url}/api/indexing/${path}`, {
    method: path.endsWith("/members") ? "PUT" : "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${service.serviceAccount}` },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  return answer.headers.get("x-consistency-token") ?? "";
}

/** Asks until what has been written is served. */
export async function untilServed({ service, cookie }: Dashboard, path: string, token: string): Promise<void> {
  for (;;) {
    const answer = await fetch(service.url + path, { headers: { cookie, "x-consistency-token": token } });
    await answer.arrayBuffer();
    if (answer.ok) return;
    if (answer.status !== 503) throw new Error(`${path} was answered with ${answer.status}.`);
  }
}

/** The verdict on milliseconds that nobody shall wait longer for. */
export function withinMs(name: string, maximum: number, figures: readonly number[]): Measurement {
  const [middle, most] = [median(figures), Math.max(...figures)];
  return {
    name: `${name}, median, in milliseconds`,
    ...atMost(maximum, middle),
    ...{ ours: `${middle.toFixed(0)} ms`, peer: `at most ${most.toFixed(0)} ms`, rounds: figures.length },
  };
}

/**
 * What every page that is measured knows: `whenPainted(isSo)` resolves with the time, since the navigation began, at
 * which the browser had painted the first frame in which `isSo()` held; `answeredAt(part)` tells when the last byte of
 * the last answer had come to a request whose address has that part.
 */
const clock = `
  window.whenPainted = (isSo) => new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(null);
      });
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
    look();
  });
  window.answeredAt = (part) => Math.max(...performance.getEntriesByType("resource")
    .filter(({ name }) => name.includes(part)).map(({ responseEnd }) => responseEnd));
`;
