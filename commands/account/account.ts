import { match } from "ts-pattern";
import type { AccountEvent, AccountLinkIssued } from "../../src/events/account.js";
import type { Role } from "../../src/shared/credential.js";
import type { Aggregate } from "../aggregate.js";

/** A link with which a password may be set, as it is written down. */
export type Link = Pick<AccountLinkIssued["data"], "secretSha256" | "expiresAt">;

export interface AccountState {
  readonly status: "absent" | "enabled" | "disabled";
  readonly roles: readonly Role[];
  readonly passwordHash: string | null;
  /** With which the password may be set, once. */
  readonly link: Link | null;
}

export const initialState = (): AccountState => ({ status: "absent", roles: [], passwordHash: null, link: null });

/** Roles as they are written down: distinct, in one order. */
export const normalizedRoles = (roles: readonly Role[]): readonly Role[] => [...new Set(roles)].sort();

/** A password that is set uses up the link. */
export function evolve(state: AccountState, event: AccountEvent): AccountState {
  return match(event)
    .returnType<AccountState>()
    .with({ type: "AccountCreated" }, ({ data: { roles } }) => ({ ...state, status: "enabled", roles }))
    .with({ type: "AccountRoleGiven" }, ({ data: { role } }) => ({
      ...state,
      roles: normalizedRoles([...state.roles, role]),
    }))
    .with({ type: "AccountRoleTaken" }, ({ data: { role } }) => ({
      ...state,
      roles: state.roles.filter((other) => other !== role),
    }))
    .with({ type: "AccountPasswordSet" }, ({ data: { passwordHash } }) => ({ ...state, passwordHash, link: null }))
    .with({ type: "AccountLinkIssued" }, ({ data: { secretSha256, expiresAt } }) => ({
      ...state,
      link: { secretSha256, expiresAt },
    }))
    .with({ type: "AccountSessionsEnded" }, () => state)
    .with({ type: "AccountDisabled" }, () => ({ ...state, status: "disabled", link: null }))
    .with({ type: "AccountEnabled" }, () => ({ ...state, status: "enabled" }))
    .exhaustive();
}

export const accountAggregate: Aggregate<AccountState, AccountEvent> = { initialState, evolve, cacheCost: () => 5 };
