import { match } from "ts-pattern";
import type { DatasourceEvent } from "../../src/events/datasource.js";
import type { DocumentEvent } from "../../src/events/document.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { Position } from "../../src/shared/position.js";
import { generationOf } from "../generationOf.js";
import type { Projection } from "../ports.js";
import type { SearchChange } from "./changes.js";
import { searchablePropertiesOf } from "./searchableProperties.js";

type SearchEvent = DatasourceEvent | DocumentEvent;

/** Events of datasources and documents become changes of the search index. */
export const searchProjection: Projection<SearchChange> = {
  name: "search",
  categories: ["datasource", "document"],
  project: (recorded) => project(recorded as RecordedEvent<SearchEvent>),
  failClosed: (recorded) => failClosed(recorded as RecordedEvent<SearchEvent>),
};

function project({ event, position, metadata }: RecordedEvent<SearchEvent>): readonly SearchChange[] {
  return match(event)
    .returnType<readonly SearchChange[]>()
    .with({ type: "DatasourceRegistered" }, ({ data: { datasourceId, name, subs, objectDefinitions } }) => [
      { kind: "datasourceRegistered", position, datasourceId, name, subs, searchable: searchablePropertiesOf(objectDefinitions) },
    ])
    .with({ type: "DatasourceUpdated" }, ({ data: { datasourceId, objectDefinitions } }) =>
      objectDefinitions === undefined
        ? []
        : [{ kind: "propertiesDefined", position, datasourceId, searchable: searchablePropertiesOf(objectDefinitions) }],
    )
    .with({ type: "SubAdded" }, ({ data: { datasourceId, key, parentKey } }) => [{ kind: "subAdded", position, datasourceId, key, parentKey }])
    .with({ type: "SubRemoved" }, ({ data }) => [{ kind: "subRemoved", position, ...data }])
    .with({ type: "DatasourceDeleted" }, ({ data: { datasourceId } }) => [{ kind: "datasourceDeleted", position, datasourceId }])
    .with({ type: "DocumentIndexed" }, ({ data }) => [{ kind: "documentIndexed", position, indexedAt: metadata.at, document: data }])
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
    .with({ type: "DatasourceRegistered" }, { type: "DatasourceUpdated" }, { type: "SubAdded" }, { type: "SubRemoved" }, { type: "DatasourceDeleted" }, () => {
      const datasourceId = generationOf(recorded);
      if (datasourceId === null) return { scope: recorded.stream, changes: [] };
      return { scope: `datasource ${datasourceId}`, changes: [{ kind: "datasourceSuspended", position, datasourceId }] };
    })
    .exhaustive();
}

const removalOf = ({ datasourceId, documentId }: DocumentEvent["data"], position: Position): SearchChange => ({
  kind: "documentRemoved",
  position,
  datasourceId,
  documentId,
});
