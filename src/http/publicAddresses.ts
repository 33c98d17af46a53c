import type { ApiContext } from "./apiContext.js";

const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/**
 * The address under which people reach the service, without a slash at its end: as it is set, or as it was asked. Empty
 * where nobody can tell.
 */
export function publicOrigin({ services: { publicUrl }, protocol, host }: ApiContext): string {
  return publicUrl ?? (hostForm.test(host) ? `${protocol}://${host}` : "");
}

/** Where people are sent to an identity provider. */
export const identityProviderPath = "/api/session/identity-provider";

/** Where it sends them back to. */
export const identityProviderCallback = `${identityProviderPath}/callback`;

/** The page on which a password is set by a link. */
const welcomePage = "/welcome";

/** What may follow the origin: a path of this service that a browser takes for nothing else. */
export const isLocalPath = (path: string): boolean => /^\/(?![/\\])[!-~]{0,2000}$/.test(path) && !path.includes("\\");

/** The page with what its fragment says: a fragment is sent to no server and into no log of one. */
export const welcomeLink = (origin: string, facts: Readonly<Record<string, string>>): string =>
  `${origin}${welcomePage}#${new URLSearchParams(facts).toString()}`;
