import { match } from "ts-pattern";
import { datasourceEventTypes } from "../../src/events/datasource.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection } from "../ports.js";
import { projectOnly } from "../projectOnly.js";
import type { CatalogueChange } from "./changes.js";

const project = projectOnly(datasourceEventTypes, ({ event }) =>
  match(event)
    .returnType<readonly CatalogueChange[]>()
    .with({ type: "DatasourceRegistered" }, ({ data }) => [{ kind: "registered", datasource: data }])
    .with({ type: "DatasourceUpdated" }, { type: "SubAdded" }, { type: "SubRemoved" }, (amendment) => [
      { kind: "amended", amendment },
    ])
    .with({ type: "DatasourceDeleted" }, ({ data: { datasourceId } }) => [{ kind: "withdrawn", datasourceId }])
    .exhaustive(),
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
  /** A scope is a stream: a datasource's name with all its incarnations. */
  restoration: (scope) =>
    scope.kind === "stream"
      ? { stream: scope.stream, before: [], changes: (event, isDiscarded) => (isDiscarded ? [] : project(event)) }
      : null,
};
