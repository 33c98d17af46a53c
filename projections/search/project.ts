import { match } from "ts-pattern";
import type { DatasourceEvent } from "../../src/events/datasource.js";
import type { DocumentEvent } from "../../src/events/document.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { toDatasourceId, toDocumentId } from "../../src/shared/ids.js";
import { beginning, type Position } from "../../src/shared/position.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection, Restoration } from "../ports.js";
import type { SearchChange } from "./changes.js";
import { searchablePropertiesOf } from "./searchableProperties.js";

type SearchEvent = DatasourceEvent | DocumentEvent;

/** Events of datasources and documents become changes of the search index. */
export const searchProjection: Projection<SearchChange> = {
  name: "search",
  categories: ["datasource", "document"],
  project: (recorded) => project(recorded as RecordedEvent<SearchEvent>),
  failClosed: (recorded) => failClosed(recorded as RecordedEvent<SearchEvent>),
  restoration,
};

function project({ event, position, metadata }: RecordedEvent<SearchEvent>): readonly SearchChange[] {
  return match(event)
    .returnType<readonly SearchChange[]>()
    .with({ type: "DatasourceRegistered" }, ({ data: { datasourceId, name, subs, objectDefinitions } }) => [
      {
        kind: "datasourceRegistered",
        position,
        datasourceId,
        name,
        subs,
        searchable: searchablePropertiesOf(objectDefinitions),
      },
    ])
    .with({ type: "DatasourceUpdated" }, ({ data: { datasourceId, objectDefinitions } }) =>
      objectDefinitions === undefined
        ? []
        : [
            {
              kind: "propertiesDefined",
              position,
              datasourceId,
              searchable: searchablePropertiesOf(objectDefinitions),
            },
          ],
    )
    .with({ type: "SubAdded" }, ({ data: { datasourceId, key, parentKey } }) => [
      { kind: "subAdded", position, datasourceId, key, parentKey },
    ])
    .with({ type: "SubRemoved" }, ({ data }) => [{ kind: "subRemoved", position, ...data }])
    .with({ type: "DatasourceDeleted" }, ({ data: { datasourceId } }) => [
      { kind: "datasourceDeleted", position, datasourceId },
    ])
    .with({ type: "DocumentIndexed" }, ({ data }) => [
      { kind: "documentIndexed", position, indexedAt: metadata.at, document: data },
    ])
    .with({ type: "DocumentDeleted" }, ({ data }) => [removalOf(data, position)])
    .exhaustive();
}

interface FailedClosed {
  readonly scope: string;
  readonly changes: readonly SearchChange[];
}

/** A parked document disappears; a parked change of a datasource takes the whole datasource out of service. */
function failClosed(recorded: RecordedEvent<SearchEvent>): FailedClosed {
  const { event, position } = recorded;
  return match(event)
    .returnType<FailedClosed>()
    .with({ type: "DocumentIndexed" }, { type: "DocumentDeleted" }, ({ data }) => ({
      scope: `document ${data.datasourceId}:${data.documentId}`,
      changes: [removalOf(data, position)],
    }))
    .with(
      { type: "DatasourceRegistered" },
      { type: "DatasourceUpdated" },
      { type: "SubAdded" },
      { type: "SubRemoved" },
      { type: "DatasourceDeleted" },
      () => {
        const datasourceId = incarnationOf(recorded);
        if (datasourceId === null) return { scope: recorded.stream, changes: [] };
        return {
          scope: `datasource ${datasourceId}`,
          changes: [{ kind: "datasourceSuspended", position, datasourceId }],
        };
      },
    )
    .exhaustive();
}

/** Scopes are `document {datasourceId}:{documentId}` and `datasource {datasourceId}`. */
function restoration(scope: string): Restoration<SearchChange> | null {
  const [kind, id = ""] = [scope.slice(0, scope.indexOf(" ")), scope.slice(scope.indexOf(" ") + 1)];
  const changes: Restoration<SearchChange>["changes"] = (recorded, isLeftOut) => {
    const event = recorded as RecordedEvent<SearchEvent>;
    // A version that is left out leaves nothing behind: the one before it may have been for other people.
    if (isLeftOut)
      return event.event.type === "DocumentIndexed" || event.event.type === "DocumentDeleted"
        ? failClosed(event).changes
        : [];
    return project(event);
  };
  if (kind === "document") {
    const at = id.indexOf(":");
    const [datasourceId, documentId] = [toDatasourceId(id.slice(0, at)), toDocumentId(id.slice(at + 1))];
    const nothing: SearchChange = { kind: "documentRemoved", position: beginning, datasourceId, documentId };
    const condense = (all: readonly SearchChange[]): readonly SearchChange[] => all.slice(-1);
    return { stream: `document-${id}`, before: [nothing], changes, condense };
  }
  if (kind !== "datasource") return null;
  const datasourceId = toDatasourceId(id);
  const suspended: SearchChange = { kind: "datasourceSuspended", position: beginning, datasourceId };
  return {
    categories: searchProjection.categories,
    includes: (event) => incarnationOf(event) === datasourceId,
    before: [[suspended]],
    changes: (event, isLeftOut) =>
      event.event.type === "DatasourceRegistered"
        ? [...changes(event, isLeftOut), suspended]
        : changes(event, isLeftOut),
    after: [{ kind: "datasourceRestored", position: beginning, datasourceId }],
  };
}

const removalOf = ({ datasourceId, documentId }: DocumentEvent["data"], position: Position): SearchChange => ({
  kind: "documentRemoved",
  position,
  datasourceId,
  documentId,
});
