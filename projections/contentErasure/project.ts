import { match } from "ts-pattern";
import type { ContentReference, DocumentDeleted, DocumentIndexed } from "../../src/events/document.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { ContentKey, Projection } from "../ports.js";
import type { ContentErasureChange } from "./changes.js";

/**
 * A reaction, not a read model: texts that were replaced or deleted are erased, with those of deleted datasources. The
 * permission history stays (ADR 2). Erasing again is harmless, so that starting over does no damage.
 */
export const contentErasure: Projection<ContentErasureChange> = {
  name: "contentErasure",
  categories: ["datasource", "document"],
  project,
  /** Nothing is served from here: the text stays until the event can be read. */
  failClosed: ({ stream }) => ({ scope: stream, changes: [] }),
  /** Erasing what has been erased already does no harm, and what was written again is kept. */
  restoration: (stream) => ({ stream, before: [], changes: (event) => project(event) }),
};

function project({ event, position }: RecordedEvent): readonly ContentErasureChange[] {
  return match(event)
    .returnType<readonly ContentErasureChange[]>()
    .with({ type: "DocumentIndexed" }, ({ data }) => {
      const written: ContentErasureChange = { kind: "textWritten", key: keyOf(data, data.content), position };
      if (data.supersededContent === null) return [written];
      return [{ kind: "textSuperseded", key: keyOf(data, data.supersededContent), position }, written];
    })
    .with({ type: "DocumentDeleted" }, ({ data }) => [
      { kind: "textSuperseded", key: keyOf(data, data.supersededContent), position },
    ])
    .with({ type: "DatasourceDeleted" }, ({ data: { datasourceId } }) => [
      { kind: "datasourceDeleted", datasourceId, position },
    ])
    .with(
      { type: "DatasourceRegistered" },
      { type: "DatasourceUpdated" },
      { type: "SubAdded" },
      { type: "SubRemoved" },
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
      { type: "ServiceAccountCreated" },
      { type: "ServiceAccountRevoked" },
      { type: "ApiKeyCreated" },
      { type: "ApiKeyRevoked" },
      () => [],
    )
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

const keyOf = (
  { datasourceId, documentId }: (DocumentIndexed | DocumentDeleted)["data"],
  reference: ContentReference,
): ContentKey => ({
  datasourceId,
  documentId,
  reference,
});
