import type { DatasourceEvent } from "../../src/events/datasource.js";
import type { ContentReference, DocumentDeleted, DocumentEvent, DocumentIndexed } from "../../src/events/document.js";
import type { FileEvent } from "../../src/events/file.js";
import { documentStream, fileStream } from "../../src/events/streams.js";
import type { ContentKey, Projection } from "../ports.js";
import { projectByType } from "../projectByType.js";
import type { ContentErasureChange } from "./ports.js";

const nothing: readonly ContentErasureChange[] = [];

const project = projectByType<DatasourceEvent | DocumentEvent | FileEvent, readonly ContentErasureChange[]>(
  {
    DatasourceRegistered: () => nothing,
    DatasourceUpdated: () => nothing,
    DatasourceDeleted: ({ event: { data }, position }) => [
      { kind: "datasourceDeleted", datasourceId: data.datasourceId, position },
    ],
    SubAdded: () => nothing,
    SubRemoved: () => nothing,
    DocumentIndexed: ({ event: { data }, position }) => {
      const written: ContentErasureChange = {
        ...{ kind: "textWritten", datasourceId: data.datasourceId, position },
        key: keyOf(data, data.content),
      };
      if (data.supersededContent === null) return [written];
      return [{ kind: "contentSuperseded", key: keyOf(data, data.supersededContent), position }, written];
    },
    DocumentDeleted: ({ event: { data }, position }) => [
      { kind: "contentSuperseded", key: keyOf(data, data.supersededContent), position },
    ],
    FileUploaded: () => nothing,
    FileErased: ({ event: { data }, position }) =>
      data.contents.map((reference) => ({
        ...{ kind: "contentSuperseded", position },
        key: { stream: fileStream(data.fileId), reference },
      })),
  },
  nothing,
);

/**
 * A reaction, not a read model: erases texts that were replaced or deleted, those of deleted datasources, and erased
 * files. The permission history stays (ADR 2). Erasing again is harmless, so starting over does no damage.
 */
export const contentErasure: Projection<ContentErasureChange> = {
  name: "contentErasure",
  categories: ["datasource", "document", "file"],
  project,
  /** Nothing is served from here: the text stays until the event can be read. */
  failClosed: ({ stream }) => ({ scope: { kind: "stream", stream }, changes: [] }),
  /** Erasing again what is erased does no harm, and a text that was written again is kept. */
  restoration: (scope) => (scope.kind === "stream" ? { stream: scope.stream, before: [], changes: project } : null),
};

const keyOf = (
  { datasourceId, documentId }: (DocumentIndexed | DocumentDeleted)["data"],
  reference: ContentReference,
): ContentKey => ({ stream: documentStream(datasourceId, documentId), reference });
