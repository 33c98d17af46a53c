import { match } from "ts-pattern";
import { createHmac, randomBytes } from "node:crypto";
import { accountStream, sessionStream } from "../../src/events/streams.js";
import { formatCredential, hashSecret, type Role, isSameSecret } from "../../src/shared/credential.js";
import type { Email, CredentialId } from "../../src/shared/ids.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import { accountAggregate, normalizedRoles, type AccountState, normalizedPassword } from "../account/account.js";
import { handleAccount, setPassword, refuseNoAddress } from "../account/accountCommands.js";
import type { CommandContext, CommandResult, Use } from "../command.js";
import type { CommandServices, CreatedCredential } from "../services.js";
import { replyWith } from "../handleCommand.js";
import type { Rejection } from "../rejection.js";
import type { Snapshot } from "../streamStates.js";
import { decide, sessionAggregate, type SessionCommand } from "./decider.js";

/** By what somebody signs in. */
type SignIn =
  | { readonly method: "password"; readonly password: string }
  /** Sets this password with a link first. */
  | { readonly method: "link"; readonly secret: string; readonly password: string }
  /**
   * An identity provider has proven the email. The account is created where there is none; the account's roles become
   * these. null: they stay.
   */
  | { readonly method: "identityProvider"; readonly roles: readonly Role[] | null };

type StartSession = SignIn & { readonly email: Email; readonly lifetimeMs: number };

/** A session that was just started; `credential` is what its cookie holds. */
export interface StartedSession extends CreatedCredential {
  readonly email: Email;
  readonly roles: readonly Role[];
  readonly expiresAt: string;
  /** By which the browser is known again; null: the account has no password. */
  readonly browserMark: string | null;
}

/**
 * Signs somebody in, as the account is in the log now. It takes the same time and says the same whether there is no
 * such account, it has no password, it is disabled or the password is another.
 */
export async function startSession(
  services: CommandServices,
  { email, lifetimeMs, ...signIn }: StartSession,
  context: CommandContext,
): CommandResult<StartedSession> {
  const account = await provenAccount(services, email, signIn, context);
  if (!account.ok) return account;
  const { state, revision, position } = account.value;
  const { handler, minting, productName, now } = services;
  const credential = minting.credential("session");
  const { id, secret } = credential;
  const expiresAt = new Date(now().getTime() + lifetimeMs).toISOString();
  const { method } = signIn;
  const started = { id, email, secretSha256: hashSecret(secret), method, expiresAt, accountRevision: revision };
  return handler.handle({
    aggregate: sessionAggregate,
    stream: sessionStream(id),
    context,
    ...(position !== null && { readElsewhereUpTo: position }),
    decide: (session) =>
      replyWith(decide({ type: "StartSession", started }, session), {
        ...{ id, email, expiresAt, roles: state.roles },
        credential: formatCredential(credential, productName),
        browserMark: state.passwordHash === null ? null : newBrowserMark(state.passwordHash),
      }),
  });
}

/** The account as of the event that the sign-in is decided on. */
async function provenAccount(
  services: CommandServices,
  email: Email,
  signIn: SignIn,
  context: CommandContext,
): Promise<Result<Snapshot<AccountState>, Rejection>> {
  const read = (): Promise<Snapshot<AccountState>> => services.handler.read(accountAggregate, accountStream(email));
  const prepared = await match(signIn)
    .with({ method: "password" }, ({ password }) => withPassword(services, password, read))
    .with({ method: "link" }, async ({ secret, password }) => {
      const set = await setPassword(services, { email, password, proof: { kind: "link", secret } }, context);
      return set.ok ? ok(await read()) : set;
    })
    .with({ method: "identityProvider" }, async ({ roles: claimed }) => {
      const refusal = refuseNoAddress(email);
      if (refusal !== null) return failed(refusal);
      const roles = claimed === null ? null : normalizedRoles(claimed);
      const followed = await handleAccount(services, { type: "FollowProvider", email, roles }, context, null);
      return followed.ok ? ok(await read()) : followed;
    })
    .exhaustive();
  if (prepared.ok && prepared.value.state.status !== "enabled") return failed({ type: "AccountIsDisabled", email });
  return prepared;
}

async function withPassword(
  { passwordHasher }: Pick<CommandServices, "passwordHasher">,
  password: string,
  read: () => Promise<Snapshot<AccountState>>,
): Promise<Result<Snapshot<AccountState>, Rejection>> {
  const account = await read();
  const { status, passwordHash } = account.state;
  const known = status === "enabled" ? passwordHash : null;
  const isRight = await passwordHasher.verify(known, normalizedPassword(password));
  return isRight ? ok(account) : failed({ type: "SignInRefused" });
}

interface NoteSessionUsed extends Use {
  readonly id: CredentialId;
}

/** Writes down that a session is in use, unless it was lately, or is over. */
export const noteSessionUsed = (
  services: CommandServices,
  { id, usedAt, everyMs }: NoteSessionUsed,
  context: CommandContext,
): CommandResult<null> => handleSession(services, { type: "NoteSessionUsed", id, usedAt, everyMs }, context);

interface EndSession {
  readonly id: CredentialId;
}

/** Ends one session for good: the person signs out. Ending it again changes nothing. */
export const endSession = (
  services: CommandServices,
  { id }: EndSession,
  context: CommandContext,
): CommandResult<null> => handleSession(services, { type: "EndSession", id }, context);

/** Carries out a command on a session that has been started. */
const handleSession = (
  { handler }: CommandServices,
  command: Exclude<SessionCommand, { readonly type: "StartSession" }>,
  context: CommandContext,
): CommandResult<null> =>
  handler.handle({
    aggregate: sessionAggregate,
    stream: sessionStream(command.id),
    context,
    decide: (state) => replyWith(decide(command, state), null),
  });

const nonceBytes = 16;

/**
 * What a browser keeps in which somebody has signed in, to be known again: a number of its own, and a proof that the
 * account's password was known. Another password makes it worthless.
 */
const newBrowserMark = (passwordHash: string): string =>
  markOf(randomBytes(nonceBytes).toString("base64url"), passwordHash);

/** Whether a mark is one of the account's, by the password that it has now. */
export async function knowsBrowser(
  { handler }: Pick<CommandServices, "handler">,
  { email, mark }: { readonly email: Email; readonly mark: string },
): Promise<boolean> {
  const { passwordHash } = (await handler.read(accountAggregate, accountStream(email))).state;
  // The whole of it: whatever else was let through would be counted as another browser.
  return passwordHash !== null && isSameSecret(mark, markOf(mark.split(".", 1)[0] ?? "", passwordHash));
}

const markOf = (nonce: string, passwordHash: string): string =>
  `${nonce}.${createHmac("sha256", passwordHash).update(`known browser ${nonce}`).digest("base64url")}`;
