import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import {
  categoryOf,
  datasourceStream,
  documentStream,
  groupGraphStream,
  streamCategories,
  userStream,
  type StreamCategory,
  type StreamName,
} from "../../src/events/streams.js";
import { toDatasourceId, toDatasourceName, toDocumentId, toEmail } from "../../src/shared/ids.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Restoration } from "../ports.js";
import type { FactOrigin, HistoryScope, PermissionFact, PermissionHistoryChange } from "./changes.js";

type Changes = readonly PermissionHistoryChange[];

/** How events are read; see `project.ts`. */
interface Reading {
  originOf(event: RecordedEvent): FactOrigin;
  factOf(event: DomainEvent): PermissionFact | null;
}

const permissionCategories: readonly StreamCategory[] = ["datasource", "groupGraph", "user", "document"];
const allCategories = streamCategories.filter((category) => category !== "projection");

/**
 * Scopes are `all datasources`, `datasource {id}`, `registrations {name}`, `groups {datasourceId}`, `person
 * {datasourceId}:{email}`, `document {datasourceId}:{documentId}` and `events`. For events that only move the clock, a
 * scope is the stream's name.
 */
export function restorationOf(
  scope: string,
  { originOf, factOf }: Reading,
): Restoration<PermissionHistoryChange> | null {
  const recorded = (event: RecordedEvent): Changes => [{ origin: originOf(event), fact: null, anew: true }];
  const followed = (event: RecordedEvent, isLeftOut: boolean): Changes =>
    isLeftOut ? recorded(event) : [{ origin: originOf(event), fact: factOf(event.event), anew: true }];
  if (scope === "events") {
    return {
      categories: allCategories,
      includes: () => true,
      before: [[{ forgotten: { kind: "origins" } }]],
      changes: recorded,
      ofUnreadable: recorded,
      after: [],
    };
  }
  if (scope === "all datasources") {
    const before = [[{ forgotten: { kind: "everything" } }]] as const;
    return {
      categories: permissionCategories,
      includes: () => true,
      before,
      changes: followed,
      ofUnreadable: (event) => suspended(event, originOf(event)),
      after: [],
    };
  }
  if (isStreamOf(scope, "serviceAccount") || isStreamOf(scope, "apiKey"))
    return { stream: scope, before: [], changes: recorded };
  const [kind, id] = [scope.slice(0, scope.indexOf(" ")), scope.slice(scope.indexOf(" ") + 1)];
  if (kind === "datasource") {
    const datasourceId = toDatasourceId(id);
    const before = [[{ forgotten: { kind, datasourceId } }]] as const;
    return {
      categories: permissionCategories,
      includes: (event) => incarnationOf(event) === datasourceId,
      before,
      changes: followed,
      after: [],
    };
  }
  const ofStream = streamScope(kind, id);
  return ofStream && { stream: ofStream.stream, before: [{ forgotten: ofStream.scope }], changes: followed };
}

const isStreamOf = (scope: string, category: StreamCategory): scope is StreamName =>
  scope.startsWith(`${category}-`) && categoryOf(scope as StreamName) === category;

/** While everything is projected afresh, one datasource of which an event cannot be read is suspended alone. */
function suspended(event: RecordedEvent, origin: FactOrigin): Changes {
  const datasourceId = incarnationOf(event);
  if (datasourceId === null) throw event.unreadable?.reason;
  return [{ origin, fact: { kind: "datasourceSuspended", datasourceId }, anew: true }];
}

function streamScope(kind: string, id: string): { readonly stream: StreamName; readonly scope: HistoryScope } | null {
  const [datasourceId, rest] = [toDatasourceId(id.slice(0, id.indexOf(":"))), id.slice(id.indexOf(":") + 1)];
  switch (kind) {
    case "registrations":
      return { stream: datasourceStream(toDatasourceName(id)), scope: { kind, name: toDatasourceName(id) } };
    case "groups":
      return { stream: groupGraphStream(toDatasourceId(id)), scope: { kind, datasourceId: toDatasourceId(id) } };
    case "person":
      return { stream: userStream(datasourceId, toEmail(rest)), scope: { kind, datasourceId, email: toEmail(rest) } };
    case "document":
      return {
        stream: documentStream(datasourceId, toDocumentId(rest)),
        scope: { kind, datasourceId, documentId: toDocumentId(rest) },
      };
    default:
      return null;
  }
}
