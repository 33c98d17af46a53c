import { match } from "ts-pattern";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { toCredentialId } from "../../src/shared/ids.js";
import type { Projection } from "../ports.js";
import type { CredentialChange } from "./changes.js";

/** Events of service accounts and personal keys become the records that a credential is checked against. */
export const credentials: Projection<CredentialChange> = {
  name: "credentials",
  categories: ["serviceAccount", "apiKey"],
  project,
  /** A credential of which an event cannot be read proves nothing any more. */
  failClosed({ stream, metadata }) {
    return {
      scope: stream,
      changes: [{ kind: "revoked", id: toCredentialId(stream.slice(stream.indexOf("-") + 1)), at: metadata.at }],
    };
  },
  /** Scopes are streams, each of one credential. */
  restoration: (stream) => ({
    stream,
    before: [],
    changes: (event, isLeftOut) => (isLeftOut ? [] : project(event)),
    condense,
  }),
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

function project({ event, metadata: { at } }: RecordedEvent): readonly CredentialChange[] {
  return match(event)
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
    .with({ type: "DatasourceRegistered" }, { type: "DatasourceUpdated" }, { type: "DatasourceDeleted" }, () => [])
    .with(
      { type: "SubAdded" },
      { type: "SubRemoved" },
      { type: "DocumentIndexed" },
      { type: "DocumentDeleted" },
      () => [],
    )
    .with(
      { type: "GroupCreated" },
      { type: "GroupRenamed" },
      { type: "UserRegistered" },
      { type: "UserRenamed" },
      () => [],
    )
    .with({ type: "MembershipAdded" }, { type: "MembershipRemoved" }, () => [])
    .with(
      { type: "ProjectionRebuildStarted" },
      { type: "ProjectionCompared" },
      { type: "ProjectionVersionAccepted" },
      () => [],
    )
    .with(
      { type: "ProjectionRollbackStarted" },
      { type: "ProjectionVersionActivated" },
      { type: "ProjectionVersionDropped" },
      () => [],
    )
    .with(
      { type: "ProjectionPaused" },
      { type: "ProjectionResumed" },
      { type: "ParkedEventRetried" },
      { type: "ParkedEventDiscarded" },
      () => [],
    )
    .with({ type: "ReadModelRepairRequested" }, () => [])
    .exhaustive();
}
