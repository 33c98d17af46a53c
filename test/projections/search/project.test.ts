import { expect } from "chai";
import type { SearchChange } from "../../../projections/search/ports.js";
import { searchProjection } from "../../../projections/search/project.js";
import type { DocumentIndexed } from "../../../src/events/document.js";
import type { DomainEvent, RecordedEvent } from "../../../src/events/domainEvent.js";
import { formatScope } from "../../../src/events/scope.js";
import { datasourceStream, documentStream } from "../../../src/events/streams.js";
import { toDatasourceId, toDatasourceName, toDocumentId } from "../../../src/shared/ids.js";
import { toPosition } from "../../../src/shared/position.js";

const datasourceId = toDatasourceId("d1");
const name = toDatasourceName("wiki");
const position = toPosition(7);
const property = (key: string, isSearchable: boolean) => ({
  name: key,
  displayLabel: key,
  isSearchable,
  propertyType: "TEXT" as const,
});
const objectDefinitions = [
  { name: "a", propertyDefinitions: [property("size", true), property("colour", true), property("secret", false)] },
  { name: "b", propertyDefinitions: [property("colour", true)] },
];
const document: DocumentIndexed["data"] = {
  datasourceId,
  datasource: name,
  documentId: toDocumentId("x"),
  title: "X",
  content: { sha256: "0", bytes: 0 },
  mimeType: "text/plain",
  size: 0,
  fileType: "page",
  pathPreview: null,
  path: null,
  author: null,
  lastModified: null,
  sub: null,
  childSub: null,
  access: { anonymous: true, users: [], groups: [] },
  customProperties: [],
  supersededContent: null,
  widenedToAnonymous: false,
};

const recorded = (event: DomainEvent): RecordedEvent => ({
  id: "e",
  stream: event.type === "DocumentIndexed" ? documentStream(datasourceId, document.documentId) : datasourceStream(name),
  revision: 0,
  position,
  event,
  metadata: { at: "2024-05-01T10:00:00.000Z", by: "operator", correlationId: "c", causationId: "c" },
});
const given = (event: DomainEvent) => ({
  thenChanges: (...changes: readonly SearchChange[]) =>
    expect(searchProjection.project(recorded(event))).to.deep.equal(changes),
  thenClosed: (scope: string, ...changes: readonly SearchChange[]) => {
    const closed = searchProjection.failClosed(recorded(event));
    expect({ ...closed, scope: formatScope(closed.scope) }).to.deep.equal({ scope, changes });
  },
});

const subs = [{ name: "Team", key: "team", subs: [{ name: "North", key: "north" }] }];
const registered: DomainEvent = {
  type: "DatasourceRegistered",
  data: { datasourceId, name, displayName: "Wiki", icon: null, subs, objectDefinitions, defaultAccess: "anonymous" },
};
const indexed: DomainEvent = { type: "DocumentIndexed", data: document };
const removed: DomainEvent = {
  type: "DocumentDeleted",
  data: { datasourceId, datasource: name, documentId: document.documentId, supersededContent: document.content },
};

describe("the search projection", () => {
  it("takes a datasource with its subs and the properties that are searched, each once", () => {
    given(registered).thenChanges({
      kind: "datasourceRegistered",
      position,
      datasourceId,
      name,
      subs,
      searchable: ["colour", "size"],
    });
  });

  it("takes new property definitions, and nothing from other updates", () => {
    given({ type: "DatasourceUpdated", data: { datasourceId, objectDefinitions: [] } }).thenChanges({
      kind: "propertiesDefined",
      position,
      datasourceId,
      searchable: [],
    });
    given({ type: "DatasourceUpdated", data: { datasourceId, displayName: "New" } }).thenChanges();
  });

  it("takes subs that come and go", () => {
    given({
      type: "SubAdded",
      data: { datasourceId, name: "North", key: "north", parentKey: "team", subs: [] },
    }).thenChanges({
      kind: "subAdded",
      position,
      datasourceId,
      key: "north",
      parentKey: "team",
      children: [],
    });
    const team = { datasourceId, name: "Team", key: "team", parentKey: null, subs: [{ name: "South", key: "south" }] };
    given({ type: "SubAdded", data: team }).thenChanges({
      ...{ kind: "subAdded", position, datasourceId, key: "team", parentKey: null, children: ["south"] },
    });
    given({ type: "SubRemoved", data: { datasourceId, key: "team", parentKey: null } }).thenChanges({
      kind: "subRemoved",
      position,
      datasourceId,
      key: "team",
      parentKey: null,
    });
  });

  it("takes documents, and lets go of what is deleted", () => {
    given(indexed).thenChanges({ kind: "documentIndexed", position, indexedAt: "2024-05-01T10:00:00.000Z", document });
    const undated = {
      ...document,
      lastModified: null,
      file: { mimeType: "application/pdf", modifiedAt: "2024-01-02" },
    };
    given({ type: "DocumentIndexed", data: undated }).thenChanges({
      ...{ kind: "documentIndexed", position, indexedAt: "2024-05-01T10:00:00.000Z" },
      document: { ...undated, lastModified: "2024-01-02" },
    });
    given(removed).thenChanges({ kind: "documentRemoved", position, datasourceId, documentId: document.documentId });
    given({ type: "DatasourceDeleted", data: { datasourceId, name } }).thenChanges({
      kind: "datasourceDeleted",
      position,
      datasourceId,
    });
  });

  it("lets a parked document disappear, and takes a datasource with a parked event out of service", () => {
    given(indexed).thenClosed("document d1:x", {
      kind: "documentRemoved",
      position,
      datasourceId,
      documentId: document.documentId,
    });
    given(registered).thenClosed("datasource d1", { kind: "datasourceSuspended", position, datasourceId });
  });
});
