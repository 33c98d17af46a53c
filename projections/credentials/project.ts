import type {
  ApiKeyEvent,
  ApiKeyRevoked,
  ServiceAccountEvent,
  ServiceAccountRevoked,
} from "../../src/events/credential.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { idOf } from "../../src/events/streams.js";
import { toCredentialId } from "../../src/shared/ids.js";
import type { Projection } from "../ports.js";
import { projectByType } from "../projectByType.js";
import type { CredentialChange } from "./changes.js";

const revocation = ({
  event,
  metadata: { at },
}: RecordedEvent<ServiceAccountRevoked | ApiKeyRevoked>): readonly CredentialChange[] => [
  { kind: "revoked", id: event.data.id, at },
];

const project = projectByType<ServiceAccountEvent | ApiKeyEvent, readonly CredentialChange[]>(
  {
    ServiceAccountCreated: ({ event: { data }, metadata: { at } }) => [
      {
        kind: "created",
        record: { ...data, kind: "serviceAccount", createdAt: at, revokedAt: null, email: null, roles: [] },
      },
    ],
    ServiceAccountBound: ({ event: { data } }) => [{ kind: "bound", ...data }],
    ServiceAccountRevoked: revocation,
    ApiKeyCreated: ({ event: { data }, metadata: { at } }) => [
      {
        kind: "created",
        record: { ...data, kind: "apiKey", createdAt: at, revokedAt: null, name: null, datasources: null },
      },
    ],
    ApiKeyRevoked: revocation,
  },
  [],
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
          before: [{ kind: "forgotten", id: toCredentialId(idOf(scope.stream)) }],
          changes: (event, isDiscarded) => (isDiscarded ? [] : project(event)),
          condense,
        }
      : null,
};

/** One credential's whole record. */
function condense(changes: readonly CredentialChange[]): readonly CredentialChange[] {
  const created = changes.find((change) => change.kind === "created");
  const bound = changes.findLast((change) => change.kind === "bound");
  const revoked = changes.find((change) => change.kind === "revoked");
  if (created?.kind !== "created") return changes;
  const { record } = created;
  const datasources = bound?.kind === "bound" ? bound.datasources : record.datasources;
  const revokedAt = revoked?.kind === "revoked" ? revoked.at : null;
  return [{ kind: "restored", record: { ...record, datasources, revokedAt } }];
}
