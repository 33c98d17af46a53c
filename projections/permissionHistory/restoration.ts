import { match } from "ts-pattern";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { Scope } from "../../src/events/scope.js";
import {
  categoriesOfFacts,
  categoryOf,
  datasourceStream,
  documentStream,
  groupGraphStream,
  permissionCategories,
  userStream,
  type StreamName,
} from "../../src/events/streams.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Restoration, StreamRestoration } from "../ports.js";
import type { EventOrigin, HistoryScope, PermissionChange, PermissionHistoryChange } from "./changes.js";

type Changes = readonly PermissionHistoryChange[];

/** How events are read; see `project.ts`. */
interface Reading {
  originOf(event: RecordedEvent): EventOrigin;
  changeOf(event: RecordedEvent): PermissionChange | null;
}

/** How a scope is made afresh; null for streams of which more than the clock is followed: they are no scopes here. */
export function restorationOf(
  scope: Scope,
  { originOf, changeOf }: Reading,
): Restoration<PermissionHistoryChange> | null {
  const recorded = (event: RecordedEvent): Changes => [{ origin: originOf(event), change: null, anew: true }];
  const followed = (event: RecordedEvent, isDiscarded: boolean): Changes =>
    isDiscarded ? recorded(event) : [{ origin: originOf(event), change: changeOf(event), anew: true }];
  const afresh = (stream: StreamName, forgotten: HistoryScope): StreamRestoration<PermissionHistoryChange> => ({
    stream,
    before: [{ forgotten }],
    changes: followed,
  });
  return match(scope)
    .returnType<Restoration<PermissionHistoryChange> | null>()
    .with({ kind: "events" }, (forgotten) => ({
      categories: categoriesOfFacts,
      includes: () => true,
      before: [[{ forgotten }]],
      changes: recorded,
      ofUnreadable: recorded,
      after: [],
    }))
    .with({ kind: "all datasources" }, (forgotten) => ({
      categories: permissionCategories,
      includes: () => true,
      before: [[{ forgotten }]],
      changes: followed,
      ofUnreadable: (event) => suspended(event, originOf(event)),
      after: [],
    }))
    .with({ kind: "datasource" }, (forgotten) => ({
      categories: permissionCategories,
      includes: (event) => incarnationOf(event) === forgotten.datasourceId,
      before: [[{ forgotten }]],
      changes: followed,
      after: [],
    }))
    .with({ kind: "registrations" }, (forgotten) => afresh(datasourceStream(forgotten.name), forgotten))
    .with({ kind: "groups" }, (forgotten) => afresh(groupGraphStream(forgotten.datasourceId), forgotten))
    .with({ kind: "person" }, (forgotten) => afresh(userStream(forgotten.datasourceId, forgotten.email), forgotten))
    .with({ kind: "document" }, (forgotten) =>
      afresh(documentStream(forgotten.datasourceId, forgotten.documentId), forgotten),
    )
    .with({ kind: "stream" }, ({ stream }) =>
      isOfClockAlone(stream) ? { stream, before: [], changes: recorded } : null,
    )
    .exhaustive();
}

const isOfClockAlone = (stream: StreamName): boolean =>
  categoryOf(stream) === "serviceAccount" || categoryOf(stream) === "apiKey";

/** While everything is made afresh, a datasource with an event that cannot be read is suspended alone. */
function suspended(event: RecordedEvent, origin: EventOrigin): Changes {
  const datasourceId = incarnationOf(event);
  if (datasourceId === null) throw event.unreadable?.reason;
  return [{ origin, change: { kind: "datasourceSuspended", datasourceId }, anew: true }];
}
