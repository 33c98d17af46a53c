import { LRUCache } from "lru-cache";
import type { ReadModelDefinition } from "../readModel.js";
import type { ContentErasureChange, ErasureStore } from "./ports.js";
import { contentErasure } from "./project.js";
import type { DatasourceId } from "../../src/shared/ids.js";
import { EngineUnavailable, type ContentEraser, type ProjectionWriter } from "../ports.js";

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
