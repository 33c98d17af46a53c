import { match } from "ts-pattern";
import type { ApiKeyCreated, ApiKeyEvent } from "../../src/events/credential.js";
import type { CredentialId } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";

export type ApiKeyState = "absent" | "active" | "revoked";

export type ApiKeyCommand =
  | { readonly type: "CreateApiKey"; readonly created: ApiKeyCreated["data"] }
  | { readonly type: "RevokeApiKey"; readonly id: CredentialId };

export const initialState = (): ApiKeyState => "absent";

/** Revoked is for good. */
export function evolve(_state: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  return match(event)
    .returnType<ApiKeyState>()
    .with({ type: "ApiKeyCreated" }, () => "active")
    .with({ type: "ApiKeyRevoked" }, () => "revoked")
    .exhaustive();
}

/** Ids are minted at random, so an id that is there already is this same creation, come again. */
export function decide(command: ApiKeyCommand, state: ApiKeyState): Decision<ApiKeyEvent> {
  return match(command)
    .returnType<Decision<ApiKeyEvent>>()
    .with({ type: "CreateApiKey" }, ({ created }) =>
      ok(state === "absent" ? [{ type: "ApiKeyCreated", data: created }] : []),
    )
    .with({ type: "RevokeApiKey" }, ({ id }) => {
      if (state === "absent") return failed({ type: "CredentialNotFound", id });
      return ok(state === "active" ? [{ type: "ApiKeyRevoked", data: { id } }] : []);
    })
    .exhaustive();
}

export const apiKeyAggregate: Aggregate<ApiKeyState, ApiKeyEvent> = { initialState, evolve, cacheCost: () => 1 };
