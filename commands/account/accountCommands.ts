import type { AccountOrigin } from "../../src/events/account.js";
import { accountStream } from "../../src/events/streams.js";
import { type Role, hashSecret } from "../../src/shared/credential.js";
import { type Email, isAddress } from "../../src/shared/ids.js";
import { failed } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { replyWith } from "../handleCommand.js";
import {
  accountAggregate,
  normalizedRoles,
  type AccountState,
  normalizedPassword,
  passwordFault,
  refusalOf,
  type PasswordProof,
} from "./account.js";
import { decide, type AccountCommand } from "./decider.js";
import type { Rejection } from "../rejection.js";
import { refuseEmptyEmail } from "../user/userCommands.js";

interface CreateAccount {
  readonly email: Email;
  /** In any order, repeats allowed. */
  readonly roles: readonly Role[];
  readonly origin: Exclude<AccountOrigin, "identityProvider">;
  /** null: the answer has a link with which it can be set. */
  readonly password: string | null;
}

/** An account that was just created. */
export interface CreatedAccount {
  readonly email: Email;
  /** Where it was given no password. */
  readonly link: AccountLink | null;
}

/** Creates somebody's account. */
export async function createAccount(
  services: CommandServices,
  { email, roles, origin, password }: CreateAccount,
  context: CommandContext,
): CommandResult<CreatedAccount> {
  const { handler, passwordHasher } = services;
  const refusal = refuseNoAddress(email);
  if (refusal !== null) return failed(refusal);
  const stream = accountStream(email);
  const { state } = await handler.read(accountAggregate, stream);
  if (state.status !== "absent") return failed({ type: "AccountExists", email });
  const fault = password === null ? null : await passwordFault(services, password, email);
  if (fault !== null) return failed({ type: "PasswordRefused", reason: fault });
  const passwordHash = password === null ? null : await passwordHasher.hash(normalizedPassword(password));
  const link = password === null ? mintLink(services) : null;
  const created = { email, roles, origin };
  return handler.handle({
    aggregate: accountAggregate,
    stream,
    context,
    decide: (now) =>
      replyWith(decide({ type: "CreateAccount", created, passwordHash, link: link?.stored ?? null }, now), {
        email,
        link: link?.shown ?? null,
      }),
  });
}

interface SetRoles {
  readonly email: Email;
  /** All that the account is to have, in any order. */
  readonly roles: readonly Role[];
}

/** Gives and takes roles until the account has these; taking one ends its sessions. Answers with the roles. */
export function setRoles(
  services: CommandServices,
  { email, roles: asked }: SetRoles,
  context: CommandContext,
): CommandResult<readonly Role[]> {
  const roles = normalizedRoles(asked);
  return handleAccount(services, { type: "SetRoles", email, roles, by: context.by }, context, roles);
}

interface DisableAccount {
  readonly email: Email;
}

/** Ends somebody's sessions and lets nobody sign in with the account any more; doing so again changes nothing. */
export const disableAccount = (
  services: CommandServices,
  { email }: DisableAccount,
  context: CommandContext,
): CommandResult<null> => handleAccount(services, { type: "DisableAccount", email, by: context.by }, context, null);

interface EnableAccount {
  readonly email: Email;
}

/** Lets somebody sign in again, with the password and the roles of before; sessions of before stay ended. */
export const enableAccount = (
  services: CommandServices,
  { email }: EnableAccount,
  context: CommandContext,
): CommandResult<null> => handleAccount(services, { type: "EnableAccount", email }, context, null);

interface EndSessions {
  readonly email: Email;
}

/** Signs somebody out everywhere. */
export const endSessions = (
  services: CommandServices,
  { email }: EndSessions,
  context: CommandContext,
): CommandResult<null> => handleAccount(services, { type: "EndSessions", email }, context, null);

interface IssueAccountLink {
  readonly email: Email;
}

/**
 * A link with which the account's password can be set, once and within the hour; an earlier one is worth nothing then.
 * The secret leaves in the answer and nowhere else.
 */
export function issueAccountLink(
  services: CommandServices,
  { email }: IssueAccountLink,
  context: CommandContext,
): CommandResult<AccountLink> {
  const { shown, stored } = mintLink(services);
  return handleAccount(services, { type: "IssueLink", email, link: stored }, context, shown);
}

/** What somebody shows to be allowed to set a password: the secret of a link, or the present password. */
type ShownProof =
  { readonly kind: "link"; readonly secret: string } | { readonly kind: "current"; readonly password: string };

interface SetPassword {
  readonly email: Email;
  readonly password: string;
  readonly proof: ShownProof;
}

/**
 * Sets an account's password, which ends its sessions. What is shown is looked at before the password is: who may not
 * set one is told nothing of it and costs no more than one look.
 */
export async function setPassword(
  services: CommandServices,
  { email, password, proof: shown }: SetPassword,
  context: CommandContext,
): CommandResult<null> {
  const { state } = await services.handler.read(accountAggregate, accountStream(email));
  const proof = await proofOf(services, shown, state);
  const refusal = proof === null ? "PasswordWrong" : refusalOf(proof, state);
  if (proof === null || refusal !== null) return failed({ type: refusal ?? "PasswordWrong" });
  const fault = await passwordFault(services, password, email);
  if (fault !== null) return failed({ type: "PasswordRefused", reason: fault });
  const passwordHash = await services.passwordHasher.hash(normalizedPassword(password));
  return handleAccount(services, { type: "SetPassword", email, passwordHash, proof }, context, null);
}

/** null where the present password is another. */
async function proofOf(
  { passwordHasher, now }: CommandServices,
  shown: ShownProof,
  { passwordHash }: AccountState,
): Promise<PasswordProof | null> {
  if (shown.kind === "link") return { kind: "link", secretSha256: hashSecret(shown.secret), now: now() };
  const isRight = await passwordHasher.verify(passwordHash, normalizedPassword(shown.password));
  return isRight && passwordHash !== null ? { kind: "current", passwordHash } : null;
}

/** Carries out a command on one account. */
export function handleAccount<Value>(
  { handler }: Pick<CommandServices, "handler">,
  command: Exclude<AccountCommand, { readonly type: "CreateAccount" }>,
  context: CommandContext,
  value: Value,
): CommandResult<Value> {
  return handler.handle({
    aggregate: accountAggregate,
    stream: accountStream(command.email),
    context,
    decide: (state) => replyWith(decide(command, state), value),
  });
}

const longest = 254;

/**
 * What no account may be known by. Its email is what events name whoever asked by, beside the ids of credentials and
 * `operator`: none of these has an `@`, so nobody can act under such a name.
 */
export const refuseNoAddress = (email: Email): Rejection | null =>
  refuseEmptyEmail(email) ??
  (isAddress(email) && email.length <= longest ? null : { type: "AccountEmailInvalid", email });

const lifetimeMs = 60 * 60_000;

/** A link with which an account's password can be set, once. */
export interface AccountLink {
  /** Shown once, stored nowhere. It counts together with the account's email. */
  readonly secret: string;
  readonly expiresAt: string;
}

/** A new link, and what is written down of it. */
function mintLink({ minting, now }: Pick<CommandServices, "minting" | "now">) {
  const secret = minting.linkSecret();
  const expiresAt = new Date(now().getTime() + lifetimeMs).toISOString();
  return {
    shown: { secret, expiresAt } satisfies AccountLink,
    stored: { secretSha256: hashSecret(secret), expiresAt },
  };
}
