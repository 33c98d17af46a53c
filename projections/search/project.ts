import type { DatasourceEvent, ObjectDefinition } from "../../src/events/datasource.js";
import type { DocumentEvent, DocumentIndexed } from "../../src/events/document.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { Scope } from "../../src/events/scope.js";
import { categoryOf, documentStream } from "../../src/events/streams.js";
import type { DatasourceId, DocumentId } from "../../src/shared/ids.js";
import { beginning, type Position } from "../../src/shared/position.js";
import { documentScope, incarnationOf } from "../incarnationOf.js";
import type { Projection, SteppedRestoration, StreamRestoration } from "../ports.js";
import { projectByType } from "../projectByType.js";
import type { SearchChange } from "./ports.js";

const nothing: readonly SearchChange[] = [];

const project = projectByType<DatasourceEvent | DocumentEvent, readonly SearchChange[]>(
  {
    DatasourceRegistered({ event: { data }, position }) {
      const { datasourceId, name, subs, objectDefinitions } = data;
      const searchable = searchablePropertiesOf(objectDefinitions);
      return [{ kind: "datasourceRegistered", position, datasourceId, name, subs, searchable }];
    },
    DatasourceUpdated({ event: { data }, position }) {
      const { datasourceId, objectDefinitions } = data;
      if (objectDefinitions === undefined) return nothing;
      const searchable = searchablePropertiesOf(objectDefinitions);
      return [{ kind: "propertiesDefined", position, datasourceId, searchable }];
    },
    DatasourceDeleted: ({ event: { data }, position }) => [
      { kind: "datasourceDeleted", position, datasourceId: data.datasourceId },
    ],
    SubAdded({ event: { data }, position }) {
      const { datasourceId, key, parentKey, subs } = data;
      const children = subs.map((child) => child.key);
      return [{ kind: "subAdded", position, datasourceId, key, parentKey, children }];
    },
    SubRemoved: ({ event: { data }, position }) => [{ kind: "subRemoved", position, ...data }],
    DocumentIndexed: ({ event: { data }, position, metadata }) => [
      { kind: "documentIndexed", position, indexedAt: metadata.at, document: dated(data) },
    ],
    DocumentDeleted: ({ event: { data }, position }) => [removalOf(data, position)],
  },
  nothing,
);

/** Where the client said nothing of a file's time, it is found by the time that the file says itself. */
const dated = (data: DocumentIndexed["data"]): DocumentIndexed["data"] =>
  data.lastModified === null && data.file?.modifiedAt !== undefined
    ? { ...data, lastModified: data.file.modifiedAt }
    : data;

/** Events of datasources and documents become changes of the search index. */
export const searchProjection: Projection<SearchChange> = {
  name: "search",
  categories: ["datasource", "document"],
  project,
  failClosed,
  restoration(scope) {
    if (scope.kind === "document") return restoreDocument(scope);
    return scope.kind === "datasource" ? restoreDatasource(scope) : null;
  },
};

interface FailedClosed {
  readonly scope: Scope;
  readonly changes: readonly SearchChange[];
}

/** A parked document disappears; a parked change of a datasource takes the whole datasource out of service. */
function failClosed(recorded: RecordedEvent): FailedClosed {
  const { stream, position } = recorded;
  if (categoryOf(stream) === "document") {
    const document = documentScope(stream);
    return { scope: { kind: "document", ...document }, changes: [removalOf(document, position)] };
  }
  const datasourceId = incarnationOf(recorded);
  if (datasourceId === null) return { scope: { kind: "stream", stream }, changes: [] };
  return {
    scope: { kind: "datasource", datasourceId },
    changes: [{ kind: "datasourceSuspended", position, datasourceId }],
  };
}

/** A discarded version leaves no document behind: the version before it may have been for other people. */
function followed(event: RecordedEvent, isDiscarded: boolean): readonly SearchChange[] {
  if (!isDiscarded) return project(event);
  return categoryOf(event.stream) === "document" ? failClosed(event).changes : [];
}

interface DocumentKey {
  readonly datasourceId: DatasourceId;
  readonly documentId: DocumentId;
}

const restoreDocument = ({ datasourceId, documentId }: DocumentKey): StreamRestoration<SearchChange> => ({
  stream: documentStream(datasourceId, documentId),
  before: [removalOf({ datasourceId, documentId }, beginning)],
  changes: followed,
  condense: (changes) => changes.slice(-1),
});

function restoreDatasource({ datasourceId }: Pick<DocumentKey, "datasourceId">): SteppedRestoration<SearchChange> {
  const suspended: SearchChange = { kind: "datasourceSuspended", position: beginning, datasourceId };
  return {
    categories: searchProjection.categories,
    includes: (event) => incarnationOf(event) === datasourceId,
    before: [[suspended]],
    changes: (event, isDiscarded) =>
      event.event.type === "DatasourceRegistered"
        ? [...followed(event, isDiscarded), suspended]
        : followed(event, isDiscarded),
    after: [{ kind: "datasourceRestored", position: beginning, datasourceId }],
  };
}

const removalOf = ({ datasourceId, documentId }: DocumentKey, position: Position): SearchChange => ({
  kind: "documentRemoved",
  position,
  datasourceId,
  documentId,
});

/** Names of the properties whose values belong to full-text search (spec: Property definition); distinct, sorted. */
function searchablePropertiesOf(definitions: readonly ObjectDefinition[]): readonly string[] {
  const searchable = definitions
    .flatMap((definition) => definition.propertyDefinitions)
    .filter((property) => property.isSearchable);
  return [...new Set(searchable.map((property) => property.name))].sort();
}
