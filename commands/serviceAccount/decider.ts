import { match } from "ts-pattern";
import type { ServiceAccountCreated, ServiceAccountEvent, ServiceAccountRotated } from "../../src/events/credential.js";
import type { DatasourceLimit, DatasourceLimits } from "../../src/shared/credential.js";
import type { CredentialId } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";
import { isWorthNoting, type Use } from "../command.js";

export interface ServiceAccountState {
  readonly status: "absent" | "active" | "revoked";
  readonly datasources: DatasourceLimits;
  readonly lastUsedAt: string | null;
}

export type ServiceAccountCommand =
  | { readonly type: "CreateServiceAccount"; readonly created: ServiceAccountCreated["data"] }
  | {
      readonly type: "BindServiceAccount";
      readonly id: CredentialId;
      /** Which incarnations bear the names of limits now. */
      readonly found: readonly DatasourceLimit[];
    }
  | ({ readonly type: "RotateServiceAccount" } & ServiceAccountRotated["data"])
  | ({ readonly type: "NoteServiceAccountUsed"; readonly id: CredentialId } & Use)
  | { readonly type: "RevokeServiceAccount"; readonly id: CredentialId };

export const initialState = (): ServiceAccountState => ({ status: "absent", datasources: null, lastUsedAt: null });

/** Revoked is for good. */
export function evolve(state: ServiceAccountState, event: ServiceAccountEvent): ServiceAccountState {
  return match(event)
    .returnType<ServiceAccountState>()
    .with({ type: "ServiceAccountCreated" }, ({ data: { datasources } }) => ({
      ...state,
      status: "active",
      datasources,
    }))
    .with({ type: "ServiceAccountBound" }, ({ data: { datasources } }) => ({ ...state, datasources }))
    .with({ type: "ServiceAccountRotated" }, () => state)
    .with({ type: "ServiceAccountUsed" }, ({ data: { usedAt } }) => ({ ...state, lastUsedAt: usedAt }))
    .with({ type: "ServiceAccountRevoked" }, () => ({ ...state, status: "revoked" }))
    .exhaustive();
}

/** Ids are minted at random, so an id that is there already is this same creation, come again. */
export function decide(command: ServiceAccountCommand, state: ServiceAccountState): Decision<ServiceAccountEvent> {
  const { status } = state;
  return match(command)
    .returnType<Decision<ServiceAccountEvent>>()
    .with({ type: "CreateServiceAccount" }, ({ created }) =>
      ok(status === "absent" ? [{ type: "ServiceAccountCreated", data: created }] : []),
    )
    .with({ type: "BindServiceAccount" }, ({ id, found }) => {
      if (status === "absent") return failed({ type: "CredentialNotFound", id });
      const datasources = status === "active" ? boundBy(found, state.datasources) : null;
      return ok(datasources === null ? [] : [{ type: "ServiceAccountBound", data: { id, datasources } }]);
    })
    .with({ type: "RotateServiceAccount" }, ({ id, secretSha256, previousEndsAt }) => {
      if (status === "absent") return failed({ type: "CredentialNotFound", id });
      if (status === "revoked") return failed({ type: "CredentialRevoked", id });
      return ok([{ type: "ServiceAccountRotated", data: { id, secretSha256, previousEndsAt } }]);
    })
    .with({ type: "NoteServiceAccountUsed" }, ({ id, usedAt, everyMs }) =>
      ok(
        status === "active" && isWorthNoting({ usedAt, everyMs }, state.lastUsedAt)
          ? [{ type: "ServiceAccountUsed", data: { id, usedAt } }]
          : [],
      ),
    )
    .with({ type: "RevokeServiceAccount" }, ({ id }) => {
      if (status === "absent") return failed({ type: "CredentialNotFound", id });
      return ok(status === "active" ? [{ type: "ServiceAccountRevoked", data: { id } }] : []);
    })
    .exhaustive();
}

/** The limits with those bound that were not; null where there is none of these. What is bound stays so. */
function boundBy(found: readonly DatasourceLimit[], limits: DatasourceLimits): readonly DatasourceLimit[] | null {
  if (limits === null) return null;
  const bound = limits.map((limit) =>
    limit.datasourceId === null ? (found.find(({ name }) => name === limit.name) ?? limit) : limit,
  );
  return bound.some((limit, place) => limit !== limits[place]) ? bound : null;
}

export const serviceAccountAggregate: Aggregate<ServiceAccountState, ServiceAccountEvent> = {
  initialState,
  evolve,
  cacheCost: () => 1,
};
