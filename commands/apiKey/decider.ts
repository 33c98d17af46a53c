import { match } from "ts-pattern";
import type { ApiKeyCreated, ApiKeyEvent } from "../../src/events/credential.js";
import type { CredentialId } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";
import { isWorthNoting, type Use } from "../command.js";

export interface ApiKeyState {
  readonly status: "absent" | "active" | "revoked";
  readonly lastUsedAt: string | null;
}

export type ApiKeyCommand =
  | { readonly type: "CreateApiKey"; readonly created: ApiKeyCreated["data"] }
  | ({ readonly type: "NoteApiKeyUsed"; readonly id: CredentialId } & Use)
  | { readonly type: "RevokeApiKey"; readonly id: CredentialId };

export const initialState = (): ApiKeyState => ({ status: "absent", lastUsedAt: null });

/** Revoked is for good. */
export function evolve(state: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  return match(event)
    .returnType<ApiKeyState>()
    .with({ type: "ApiKeyCreated" }, () => ({ status: "active", lastUsedAt: null }))
    .with({ type: "ApiKeyUsed" }, ({ data: { usedAt } }) => ({ ...state, lastUsedAt: usedAt }))
    .with({ type: "ApiKeyRevoked" }, () => ({ ...state, status: "revoked" }))
    .exhaustive();
}

/** Ids are minted at random, so an id that is there already is this same creation, come again. */
export function decide(command: ApiKeyCommand, { status, lastUsedAt }: ApiKeyState): Decision<ApiKeyEvent> {
  return match(command)
    .returnType<Decision<ApiKeyEvent>>()
    .with({ type: "CreateApiKey" }, ({ created }) =>
      ok(status === "absent" ? [{ type: "ApiKeyCreated", data: created }] : []),
    )
    .with({ type: "NoteApiKeyUsed" }, ({ id, usedAt, everyMs }) =>
      ok(
        status === "active" && isWorthNoting({ usedAt, everyMs }, lastUsedAt)
          ? [{ type: "ApiKeyUsed", data: { id, usedAt } }]
          : [],
      ),
    )
    .with({ type: "RevokeApiKey" }, ({ id }) => {
      if (status === "absent") return failed({ type: "CredentialNotFound", id });
      return ok(status === "active" ? [{ type: "ApiKeyRevoked", data: { id } }] : []);
    })
    .exhaustive();
}

export const apiKeyAggregate: Aggregate<ApiKeyState, ApiKeyEvent> = { initialState, evolve, cacheCost: () => 1 };
