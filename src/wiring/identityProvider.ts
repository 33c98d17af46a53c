import type { Logger } from "pino";
import type { Config } from "../config.js";
import type { IdentityProvider } from "../http/ports.js";
import { identityProviderCallback } from "../http/signIn/addresses.js";

/** Where people may sign in besides here; null: nowhere. It is loaded, and asked, with the first of them. */
export function openIdentityProvider(config: Config, logger: Logger): IdentityProvider | null {
  const { oidcIssuer, oidcClientId, publicUrl } = config;
  if (oidcIssuer === null || oidcClientId === null || publicUrl === null) return null;
  const settings = { ...config, oidcIssuer, oidcClientId, redirectUri: `${publicUrl}${identityProviderCallback}` };
  let opened: Promise<IdentityProvider> | undefined;
  const open = (): Promise<IdentityProvider> =>
    (opened ??= import("../adapters/identityProvider/openIdProvider.js").then(
      ({ OpenIdProvider }) => new OpenIdProvider(settings, logger),
    ));
  return {
    begin: async () => (await open()).begin(),
    finish: async (answer, attempt) => (await open()).finish(answer, attempt),
  };
}
