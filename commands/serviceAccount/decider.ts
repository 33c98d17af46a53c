import { match } from "ts-pattern";
import type { ServiceAccountCreated, ServiceAccountEvent } from "../../src/events/credential.js";
import type { CredentialId } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";

export type ServiceAccountState = "absent" | "active" | "revoked";

export type ServiceAccountCommand =
  | { readonly type: "CreateServiceAccount"; readonly created: ServiceAccountCreated["data"] }
  | { readonly type: "RevokeServiceAccount"; readonly id: CredentialId };

export const initialState = (): ServiceAccountState => "absent";

/** Revoked is for good. */
export function evolve(_state: ServiceAccountState, event: ServiceAccountEvent): ServiceAccountState {
  return match(event)
    .returnType<ServiceAccountState>()
    .with({ type: "ServiceAccountCreated" }, () => "active")
    .with({ type: "ServiceAccountRevoked" }, () => "revoked")
    .exhaustive();
}

/** Ids are minted at random, so an id that is there already is this same creation, come again. */
export function decide(command: ServiceAccountCommand, state: ServiceAccountState): Decision<ServiceAccountEvent> {
  return match(command)
    .returnType<Decision<ServiceAccountEvent>>()
    .with({ type: "CreateServiceAccount" }, ({ created }) =>
      ok(state === "absent" ? [{ type: "ServiceAccountCreated", data: created }] : []),
    )
    .with({ type: "RevokeServiceAccount" }, ({ id }) => {
      if (state === "absent") return failed({ type: "CredentialNotFound", id });
      return ok(state === "active" ? [{ type: "ServiceAccountRevoked", data: { id } }] : []);
    })
    .exhaustive();
}

export const serviceAccountAggregate: Aggregate<ServiceAccountState, ServiceAccountEvent> = {
  initialState,
  evolve,
  cacheCost: () => 1,
};
