import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Commands } from "../../commands/commands.js";
import type { Queries } from "../../queries/queries.js";
import type { Config } from "../config.js";
import type { SignInServices } from "../http/routeServices.js";
import { welcomeLink, identityProviderCallback } from "../http/publicAddresses.js";
import { FirstAccount } from "../http/signIn/firstAccount.js";
import { LastUses, type RecordedUse } from "../http/signIn/lastUses.js";
import { SignInLimits } from "../http/signIn/signInLimits.js";
import type { AsyncDisposableStack } from "../shared/asyncDisposableStack.js";
import type { IdentityProvider } from "../http/ports.js";

type NotingCommands = Pick<Commands, "noteApiKeyUsed" | "noteServiceAccountUsed" | "noteSessionUsed">;

/** What signing in, and noting who is at work, rest on. */
export function openSignIn(
  config: Config,
  logger: Logger,
  parts: AsyncDisposableStack,
  { commands, queries }: { readonly commands: NotingCommands; readonly queries: Pick<Queries, "listAccounts"> },
): { readonly signIn: SignInServices; readonly lastUses: LastUses } {
  const idleMs = config.sessionIdleMinutes * 60_000;
  let areAccounts = false;
  const lastUses = new LastUses({ record: (use) => recordUse(use, commands, logger), sessionIdleMs: idleMs });
  return {
    lastUses: parts.adopt(lastUses, (part) => part.stop()),
    signIn: {
      limits: new SignInLimits(),
      identityProvider: openIdentityProvider(config, logger),
      firstAccount: new FirstAccount(),
      idleMs,
      lifetimeMs: config.sessionHours * 60 * 60_000,
      hasAccounts: async () => {
        // Accounts are disabled and never gone.
        if (areAccounts) return true;
        const accounts = await queries.listAccounts({ atLeast: null });
        areAccounts = accounts.ok && accounts.value.length > 0;
        return areAccounts || !accounts.ok;
      },
    },
  };
}

/**
 * Writes a link to make the first account into the log of the program, once it is known that nobody has one: whoever
 * reads it holds the machine.
 */
export async function offerFirstAccount(
  { hasAccounts, firstAccount }: SignInServices,
  { ready, url }: { readonly ready: Promise<void>; readonly url: string },
  { role, publicUrl }: Pick<Config, "role" | "publicUrl">,
  logger: Logger,
): Promise<void> {
  if (role === "projector") return;
  // A service that ends meanwhile, or whose read models are away, offers nothing.
  const areAccounts = await ready.then(hasAccounts).catch(() => true);
  if (areAccounts) return;
  const link = welcomeLink(publicUrl ?? url, { first: firstAccount.offer() });
  logger.info(`Nobody has an account yet. Open ${link} within an hour to create the first administrator.`);
}

/** Writes a use down; the service does so by itself. What cannot be noted is noted with the next use. */
export async function recordUse(
  { kind, ...use }: RecordedUse,
  commands: NotingCommands,
  logger: Logger,
): Promise<void> {
  const note = {
    apiKey: commands.noteApiKeyUsed,
    serviceAccount: commands.noteServiceAccountUsed,
    session: commands.noteSessionUsed,
  }[kind];
  const by = { by: "operator", correlationId: randomUUID(), allowedDatasources: null } as const;
  await note(use, by).catch((error: unknown) =>
    logger.warn({ err: error, credential: use.id }, "That a credential was used could not be written down."),
  );
}

/** Where people may sign in besides here; null: nowhere. It is loaded, and asked, with the first of them. */
function openIdentityProvider(config: Config, logger: Logger): IdentityProvider | null {
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
