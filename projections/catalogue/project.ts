import { match } from "ts-pattern";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection } from "../ports.js";
import type { CatalogueChange } from "./changes.js";

/** Events of datasources become the catalogue: every live datasource as its events leave it. */
export const catalogue: Projection<CatalogueChange> = {
  name: "catalogue",
  categories: ["datasource"],
  project,
  failClosed(event) {
    const datasourceId = incarnationOf(event);
    return { scope: event.stream, changes: datasourceId === null ? [] : [{ kind: "withdrawn", datasourceId }] };
  },
  /** Scopes are streams: a datasource's name with all its incarnations. */
  restoration: (stream) => ({ stream, before: [], changes: (event, isLeftOut) => (isLeftOut ? [] : project(event)) }),
};

function project({ event }: RecordedEvent): readonly CatalogueChange[] {
  return match(event)
    .returnType<readonly CatalogueChange[]>()
    .with({ type: "DatasourceRegistered" }, ({ data }) => [{ kind: "registered", datasource: data }])
    .with({ type: "DatasourceUpdated" }, { type: "SubAdded" }, { type: "SubRemoved" }, (amendment) => [
      { kind: "amended", amendment },
    ])
    .with({ type: "DatasourceDeleted" }, ({ data: { datasourceId } }) => [{ kind: "withdrawn", datasourceId }])
    .with(
      { type: "GroupCreated" },
      { type: "GroupRenamed" },
      { type: "UserRegistered" },
      { type: "UserRenamed" },
      () => [],
    )
    .with(
      { type: "MembershipAdded" },
      { type: "MembershipRemoved" },
      { type: "DocumentIndexed" },
      { type: "DocumentDeleted" },
      () => [],
    )
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
