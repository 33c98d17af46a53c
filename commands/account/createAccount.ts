import type { AccountOrigin } from "../../src/events/account.js";
import { accountStream } from "../../src/events/streams.js";
import type { Role } from "../../src/shared/credential.js";
import type { Email } from "../../src/shared/ids.js";
import { failed } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { accountAggregate } from "./account.js";
import { decide } from "./decider.js";
import { mintLink, type AccountLink } from "./link.js";
import { normalizedPassword, passwordFault } from "./password.js";
import { refuseNoAddress } from "./refuseNoAddress.js";

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
