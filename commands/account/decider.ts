import { match } from "ts-pattern";
import type { AccountCreated, AccountEvent } from "../../src/events/account.js";
import { roles as allRoles, type Role } from "../../src/shared/credential.js";
import type { Email } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Decision } from "../aggregate.js";
import { normalizedRoles, type AccountState, type Link, refusalOf, type PasswordProof } from "./account.js";

export type AccountCommand =
  | {
      readonly type: "CreateAccount";
      readonly created: AccountCreated["data"];
      readonly passwordHash: string | null;
      readonly link: Link | null;
    }
  /** `by`: who asks for it. */
  | { readonly type: "SetRoles"; readonly email: Email; readonly roles: readonly Role[]; readonly by: string }
  /** An identity provider has said who somebody is; `roles`: and what they may do. null: it says nothing of that. */
  | { readonly type: "FollowProvider"; readonly email: Email; readonly roles: readonly Role[] | null }
  | { readonly type: "IssueLink"; readonly email: Email; readonly link: Link }
  | {
      readonly type: "SetPassword";
      readonly email: Email;
      readonly passwordHash: string;
      readonly proof: PasswordProof;
    }
  | { readonly type: "DisableAccount"; readonly email: Email; readonly by: string }
  | { readonly type: "EnableAccount"; readonly email: Email }
  | { readonly type: "EndSessions"; readonly email: Email };

/**
 * Nobody takes their own administrator role or disables themselves, so that one administrator is always left. An
 * identity provider may: what it says is decided there.
 */
export function decide(command: AccountCommand, state: AccountState): Decision<AccountEvent> {
  if (command.type === "CreateAccount") return creation(command, state);
  if (command.type === "FollowProvider") return providersWord(command, state);
  const { email } = command;
  if (state.status === "absent")
    return command.type === "SetPassword" && command.proof.kind === "link"
      ? failed({ type: "AccountLinkInvalid" })
      : failed({ type: "AccountNotFound", email });
  return match(command)
    .returnType<Decision<AccountEvent>>()
    .with({ type: "SetRoles" }, ({ roles, by }) =>
      by === email && state.roles.includes("administrator") && !roles.includes("administrator")
        ? failed({ type: "OwnAdministratorRole" })
        : ok(roleChanges(email, state.roles, roles)),
    )
    .with({ type: "IssueLink" }, ({ link }) =>
      state.status === "disabled"
        ? failed({ type: "AccountIsDisabled", email })
        : ok([{ type: "AccountLinkIssued", data: { email, ...link } }]),
    )
    .with({ type: "SetPassword" }, ({ passwordHash, proof }) => {
      const refusal = refusalOf(proof, state);
      return refusal === null
        ? ok([{ type: "AccountPasswordSet", data: { email, passwordHash } }])
        : failed({ type: refusal });
    })
    .with({ type: "DisableAccount" }, ({ by }) => {
      if (by === email) return failed({ type: "OwnAccountDisabled" });
      return ok(state.status === "enabled" ? [{ type: "AccountDisabled", data: { email } }] : []);
    })
    .with({ type: "EnableAccount" }, () =>
      ok(state.status === "disabled" ? [{ type: "AccountEnabled", data: { email } }] : []),
    )
    .with({ type: "EndSessions" }, () => ok([{ type: "AccountSessionsEnded", data: { email } }]))
    .exhaustive();
}

function creation(
  { created, passwordHash, link }: Extract<AccountCommand, { readonly type: "CreateAccount" }>,
  { status }: AccountState,
): Decision<AccountEvent> {
  const { email } = created;
  if (status !== "absent") return failed({ type: "AccountExists", email });
  return ok([
    { type: "AccountCreated", data: { ...created, roles: normalizedRoles(created.roles) } },
    ...(passwordHash === null ? [] : [{ type: "AccountPasswordSet", data: { email, passwordHash } } as const]),
    ...(link === null ? [] : [{ type: "AccountLinkIssued", data: { email, ...link } } as const]),
  ]);
}

function providersWord(
  { email, roles }: Extract<AccountCommand, { readonly type: "FollowProvider" }>,
  state: AccountState,
): Decision<AccountEvent> {
  if (state.status === "disabled") return failed({ type: "AccountIsDisabled", email });
  if (state.status === "enabled") return ok(roles === null ? [] : roleChanges(email, state.roles, roles));
  const data = { email, roles: normalizedRoles(roles ?? []), origin: "identityProvider" } as const;
  return ok([{ type: "AccountCreated", data }]);
}

const roleChanges = (email: Email, held: readonly Role[], wanted: readonly Role[]): readonly AccountEvent[] =>
  allRoles.flatMap((role): readonly AccountEvent[] => {
    if (held.includes(role) === wanted.includes(role)) return [];
    return [{ type: wanted.includes(role) ? "AccountRoleGiven" : "AccountRoleTaken", data: { email, role } }];
  });
