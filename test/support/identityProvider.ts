import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Configuration } from "oidc-provider";
import type { Browser, Visited } from "./browser.js";

/** What the provider says of a person besides their id. */
export type ClaimsOfPerson = Readonly<Record<string, unknown>>;

/** A real provider of OpenID Connect on this machine, where anybody signs in as the person they name. */
export interface ProviderUnderTest {
  readonly issuer: string;
  /** By the name that is given at its sign-in. */
  readonly people: Map<string, ClaimsOfPerson>;
  /** Addresses that were asked for, in their order. */
  readonly asked: readonly string[];
  /** Signs in there as `person`, from the address that a service sends its people to; ends at its callback. */
  signIn(browser: Browser, from: string, person: string): Promise<Visited>;
  stop(): Promise<void>;
}

export const clientId = "enterprise-search";
export const clientSecret = "secret-of-the-client-at-the-provider";

/** Starts it. `redirectUri` is where it sends people back to. */
export async function startIdentityProvider(
  redirectUri: string,
  configuration: Configuration = {},
  port = 0,
): Promise<ProviderUnderTest> {
  const people = new Map<string, ClaimsOfPerson>();
  const asked: string[] = [];
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await silently(async () => {
    const { Provider } = await import("oidc-provider");
    return new Provider(issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["roles", "realm_access"] },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...people.get(accountId) }),
      }),
      pkce: { required: () => true },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      ...configuration,
    });
  });
  const handle = provider.callback();
  server.on("request", (request, response) => {
    asked.push(request.url ?? "");
    handle(request, response);
  });
  return {
    issuer,
    people,
    asked,
    signIn: (browser, from, person) => signIn(browser, { from, person, redirectUri }),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function signIn(
  browser: Browser,
  { from, person, redirectUri }: { readonly from: string; readonly person: string; readonly redirectUri: string },
): Promise<Visited> {
  const isBack = (url: string): boolean => url.startsWith(redirectUri);
  let page = await browser.follow(from, isBack);
  const answers: readonly Record<string, string>[] = [
    { prompt: "login", login: person, password: "any" },
    { prompt: "consent" },
  ];
  for (const answer of answers) {
    if (isBack(page.url)) return page;
    const action = /action="([^"]+)"/.exec(await page.response.text())?.[1];
    if (action === undefined) throw new Error(`The provider shows no form at ${page.url}.`);
    page = await browser.follow(new URL(action, page.url).href, isBack, {
      method: "POST",
      body: new URLSearchParams(answer),
    });
  }
  return page;
}

/** It warns of what is fine for tests. */
async function silently<Value>(make: () => Promise<Value>): Promise<Value> {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return await make();
  } finally {
    Object.assign(console, { warn, info });
  }
}
