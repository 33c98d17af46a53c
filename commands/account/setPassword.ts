import { accountStream } from "../../src/events/streams.js";
import { hashSecret } from "../../src/shared/credential.js";
import type { Email } from "../../src/shared/ids.js";
import { failed } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { accountAggregate, type AccountState } from "./account.js";
import { handleAccount } from "./handleAccount.js";
import { normalizedPassword, passwordFault } from "./password.js";
import { refusalOf, type PasswordProof } from "./passwordProof.js";

/** What somebody shows to be allowed to set a password: the secret of a link, or the present password. */
type ShownProof =
  { readonly kind: "link"; readonly secret: string } | { readonly kind: "current"; readonly password: string };

export interface SetPassword {
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
