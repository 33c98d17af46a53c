import type { DatasourceEvent, DatasourceUpdated, SubAdded, SubRemoved } from "../../src/events/datasource.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection } from "../ports.js";
import { projectByType } from "../projectByType.js";
import type { CatalogueChange } from "./ports.js";

const amended = ({
  event: amendment,
}: RecordedEvent<DatasourceUpdated | SubAdded | SubRemoved>): readonly CatalogueChange[] => [
  { kind: "amended", amendment },
];

const project = projectByType<DatasourceEvent, readonly CatalogueChange[]>(
  {
    DatasourceRegistered: ({ event: { data } }) => [{ kind: "registered", datasource: data }],
    DatasourceUpdated: amended,
    DatasourceDeleted: ({ event: { data } }) => [{ kind: "withdrawn", datasourceId: data.datasourceId }],
    SubAdded: amended,
    SubRemoved: amended,
  },
  [],
);

/** Events of datasources become the catalogue: every live datasource as its events leave it. */
export const catalogue: Projection<CatalogueChange> = {
  name: "catalogue",
  categories: ["datasource"],
  project,
  failClosed(event) {
    const datasourceId = incarnationOf(event);
    return {
      scope: { kind: "stream", stream: event.stream },
      changes: datasourceId === null ? [] : [{ kind: "withdrawn", datasourceId }],
    };
  },
  /** A scope is a stream: a datasource's name with all its incarnations; or one incarnation, whatever is held of it. */
  restoration(scope) {
    if (scope.kind === "stream") return { stream: scope.stream, before: [], changes: followed };
    if (scope.kind !== "datasource") return null;
    const { datasourceId } = scope;
    return {
      categories: catalogue.categories,
      includes: (event) => incarnationOf(event) === datasourceId,
      before: [[{ kind: "withdrawn", datasourceId }]],
      changes: followed,
      after: [],
    };
  },
};

const followed = (event: RecordedEvent, isDiscarded: boolean): readonly CatalogueChange[] =>
  isDiscarded ? [] : project(event);
