import { match } from "ts-pattern";
import { apiKeyEventTypes, serviceAccountEventTypes } from "../../src/events/credential.js";
import { idOf } from "../../src/events/streams.js";
import { toCredentialId } from "../../src/shared/ids.js";
import type { Projection } from "../ports.js";
import { projectOnly } from "../projectOnly.js";
import type { CredentialChange } from "./changes.js";

const project = projectOnly({ ...serviceAccountEventTypes, ...apiKeyEventTypes }, ({ event, metadata: { at } }) =>
  match(event)
    .returnType<readonly CredentialChange[]>()
    .with({ type: "ServiceAccountCreated" }, ({ data }) => [
      {
        kind: "created",
        record: { ...data, kind: "serviceAccount", createdAt: at, revokedAt: null, email: null, roles: [] },
      },
    ])
    .with({ type: "ApiKeyCreated" }, ({ data }) => [
      {
        kind: "created",
        record: { ...data, kind: "apiKey", createdAt: at, revokedAt: null, name: null, datasources: null },
      },
    ])
    .with({ type: "ServiceAccountRevoked" }, { type: "ApiKeyRevoked" }, ({ data: { id } }) => [
      { kind: "revoked", id, at },
    ])
    .exhaustive(),
);

/** Events of service accounts and personal keys become the records that a credential is checked against. */
export const credentials: Projection<CredentialChange> = {
  name: "credentials",
  categories: ["serviceAccount", "apiKey"],
  project,
  /** A credential with an event that cannot be read proves nothing any more. */
  failClosed: ({ stream, metadata }) => ({
    scope: { kind: "stream", stream },
    changes: [{ kind: "revoked", id: toCredentialId(idOf(stream)), at: metadata.at }],
  }),
  /** A scope is a stream: one credential. */
  restoration: (scope) =>
    scope.kind === "stream"
      ? {
          stream: scope.stream,
          before: [],
          changes: (event, isDiscarded) => (isDiscarded ? [] : project(event)),
          condense,
        }
      : null,
};

/** One credential's whole record. */
function condense(changes: readonly CredentialChange[]): readonly CredentialChange[] {
  const created = changes.find((change) => change.kind === "created");
  const revoked = changes.find((change) => change.kind === "revoked");
  if (created?.kind !== "created") return changes;
  return [
    { kind: "restored", record: { ...created.record, revokedAt: revoked?.kind === "revoked" ? revoked.at : null } },
  ];
}
