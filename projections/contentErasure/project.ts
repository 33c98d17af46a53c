import { match } from "ts-pattern";
import {
  documentEventTypes,
  type ContentReference,
  type DocumentDeleted,
  type DocumentIndexed,
} from "../../src/events/document.js";
import type { ContentKey, Projection } from "../ports.js";
import { projectOnly } from "../projectOnly.js";
import type { ContentErasureChange } from "./changes.js";

const project = projectOnly({ ...documentEventTypes, DatasourceDeleted: true }, ({ event, position }) =>
  match(event)
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
    .exhaustive(),
);

/**
 * A reaction, not a read model: erases texts that were replaced or deleted, and those of deleted datasources. The
 * permission history stays (ADR 2). Erasing again is harmless, so starting over does no damage.
 */
export const contentErasure: Projection<ContentErasureChange> = {
  name: "contentErasure",
  categories: ["datasource", "document"],
  project,
  /** Nothing is served from here: the text stays until the event can be read. */
  failClosed: ({ stream }) => ({ scope: { kind: "stream", stream }, changes: [] }),
  /** Erasing again what is erased does no harm, and a text that was written again is kept. */
  restoration: (scope) => (scope.kind === "stream" ? { stream: scope.stream, before: [], changes: project } : null),
};

const keyOf = (
  { datasourceId, documentId }: (DocumentIndexed | DocumentDeleted)["data"],
  reference: ContentReference,
): ContentKey => ({
  datasourceId,
  documentId,
  reference,
});
