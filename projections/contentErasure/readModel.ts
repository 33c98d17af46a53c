import type { DatasourceEvent } from "../../src/events/datasource.js";
import type { ContentReference, DocumentDeleted, DocumentEvent, DocumentIndexed } from "../../src/events/document.js";
import type { FileEvent } from "../../src/events/file.js";
import { documentStream, fileStream } from "../../src/events/streams.js";
import {
  type ContentKey,
  type Projection,
  EngineUnavailable,
  type ContentEraser,
  type ProjectionWriter,
} from "../ports.js";
import { projectByType } from "../projectByType.js";
import type { ContentErasureChange, ErasureStore } from "./ports.js";
import { LRUCache } from "lru-cache";
import type { ReadModelDefinition } from "../readModel.js";
import type { DatasourceId } from "../../src/shared/ids.js";

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

/** A reaction: erases texts that nothing refers to any more, once. */
export const contentErasureReaction: ReadModelDefinition<ContentErasureChange, ErasureStore> = {
  name: "contentErasure",
  projection: contentErasure,
  group: "readModels",
  batchesEvents: true,
  createWriter: (store, { contents }) => createContentErasureWriter(store, contents),
};

/** A catch-up meets datasources in turns; it rarely works on more than these at a time. */
const rememberedDatasources = 1_000;

/**
 * Erases first, then remembers: after a crash in between the same is erased again, which is no error. An erasure that
 * fails is tried again for as long as it takes; no event is ever at fault for it.
 */
export function createContentErasureWriter(
  store: ErasureStore,
  eraser: ContentEraser,
): ProjectionWriter<ContentErasureChange> {
  const closed = new LRUCache<DatasourceId, boolean>({ max: rememberedDatasources });
  const isClosed = async (datasourceId: DatasourceId): Promise<boolean> => {
    const known = closed.get(datasourceId) ?? (await store.isClosed(datasourceId));
    closed.set(datasourceId, known);
    return known;
  };
  return {
    checkpoint: () => store.checkpoint(),
    async apply({ changes, ...batch }) {
      await erase(await erasuresOf(changes, isClosed), eraser);
      const deleted = changes.flatMap((change) => (change.kind === "datasourceDeleted" ? [change.datasourceId] : []));
      const outcome = await store.write({ ...batch, closed: deleted });
      if (outcome === "checkpointConflict") closed.clear();
      else for (const datasourceId of deleted) closed.set(datasourceId, true);
      return outcome;
    },
  };
}

type Erasure = Exclude<ContentErasureChange, { readonly kind: "textWritten" }>;

/**
 * A document that was indexed while its datasource was being deleted leaves a text after the deletion. It is erased as
 * well.
 */
async function erasuresOf(
  changes: readonly ContentErasureChange[],
  isClosed: (datasourceId: DatasourceId) => Promise<boolean>,
): Promise<readonly Erasure[]> {
  const erasures: Erasure[] = [];
  const deletedHere = new Set<DatasourceId>();
  for (const change of changes) {
    if (change.kind === "datasourceDeleted") deletedHere.add(change.datasourceId);
    if (change.kind !== "textWritten") erasures.push(change);
    else if (deletedHere.has(change.datasourceId) || (await isClosed(change.datasourceId)))
      erasures.push({ kind: "contentSuperseded", key: change.key, position: change.position });
  }
  return erasures;
}

/** Asks for all of them together, so that the eraser can let them share a commit. */
async function erase(erasures: readonly Erasure[], eraser: ContentEraser): Promise<void> {
  try {
    await Promise.all(
      erasures.map((erasure) =>
        erasure.kind === "datasourceDeleted"
          ? eraser.eraseDatasource(erasure.datasourceId, erasure.position)
          : eraser.erase(erasure.key, erasure.position),
      ),
    );
  } catch (error) {
    throw error instanceof EngineUnavailable
      ? error
      : new EngineUnavailable("Texts could not be erased.", { cause: error });
  }
}
