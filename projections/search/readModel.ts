import type { ReadModelDefinition } from "../readModel.js";
import {
  type SearchChange,
  isDocumentChange,
  type DatasourceChange,
  type DocumentChange,
  type SearchIndexWriter,
} from "./ports.js";
import { searchProjection } from "./project.js";
import type { DatasourceId } from "../../src/shared/ids.js";
import type { ProjectionBatch, ProjectionWriter } from "../ports.js";
import { prepareDocuments, type PreparationSources } from "./prepareDocuments.js";

/** Documents with their access classes and terms: a thread of its own, for a batch of it takes longest. */
export const searchReadModel: ReadModelDefinition<SearchChange, SearchIndexWriter> = {
  name: "search",
  projection: searchProjection,
  group: "search",
  batchesEvents: true,
  createWriter: (index, { contents, tokens }) => createSearchWriter({ index, contents, tokens }),
};

/** How much text is held and analysed at a time. */
const maxPieceBytes = 16 * 1024 * 1024;

interface SearchWriterOptions extends PreparationSources {
  readonly index: SearchIndexWriter;
}

/** Brings changes into the search index, whatever engine holds it: loads texts, mints tokens, analyses, writes. */
export function createSearchWriter({ index, contents, tokens }: SearchWriterOptions): ProjectionWriter<SearchChange> {
  const applyPiece = async (piece: ProjectionBatch<SearchChange>): Promise<"applied" | "checkpointConflict"> => {
    const datasources = piece.changes.filter((change): change is DatasourceChange => !isDocumentChange(change));
    const changes = lastPerDocument(piece.changes);
    const searchable = await searchableAfter(index, datasources, changes.map(datasourceOf));
    const documents = await prepareDocuments(changes, searchable, { contents, tokens });
    const { after, position, parked, restored, landmarks, moreToCome } = piece;
    return index.write({ after, position, parked, restored, landmarks, moreToCome, datasources, documents });
  };
  return {
    checkpoint: () => index.checkpoint(),
    async apply(batch) {
      for (const piece of chunksOf(batch, maxPieceBytes))
        if ((await applyPiece(piece)) === "checkpointConflict") return "checkpointConflict";
      return "applied";
    },
  };
}

const datasourceOf = (change: ReturnType<typeof lastPerDocument>[number]): DatasourceId =>
  change.kind === "documentIndexed" ? change.document.datasourceId : change.datasourceId;

/** What the index will search once the changes of this chunk are in it. */
async function searchableAfter(
  index: SearchIndexWriter,
  changes: readonly DatasourceChange[],
  datasources: readonly DatasourceId[],
): Promise<ReadonlyMap<DatasourceId, ReadonlySet<string>>> {
  const searchable = new Map(await index.searchableProperties([...new Set(datasources)]));
  for (const change of changes) {
    if (change.kind === "datasourceRegistered") {
      searchable.set(change.datasourceId, new Set(change.searchable));
    } else if (change.kind === "propertiesDefined" && searchable.has(change.datasourceId)) {
      searchable.set(change.datasourceId, new Set(change.searchable));
    } else if (change.kind === "datasourceDeleted") {
      searchable.delete(change.datasourceId);
    }
  }
  return searchable;
}

/**
 * Cuts a batch where its texts exceed `maxBytes`, so that memory and the length of a transaction stay bounded whatever
 * the batch holds. Each chunk carries the checkpoint of its last event and the parked events up to there.
 */
export function chunksOf(
  batch: ProjectionBatch<SearchChange>,
  maxBytes: number,
): readonly ProjectionBatch<SearchChange>[] {
  const chunks: ProjectionBatch<SearchChange>[] = [];
  let after = batch.after;
  let from = 0;
  let bytes = 0;
  batch.changes.forEach((change, index) => {
    bytes += change.kind === "documentIndexed" ? change.document.content.bytes : 0;
    const next = batch.changes[index + 1];
    if (bytes < maxBytes || next === undefined || next.position === change.position) return;
    chunks.push(chunk(batch, from, index + 1, after, change.position));
    [after, from, bytes] = [change.position, index + 1, 0];
  });
  const last = chunk(batch, from, batch.changes.length, after, batch.position);
  return [
    ...chunks.map((each) => ({ ...each, moreToCome: true })),
    { ...last, moreToCome: batch.moreToCome ?? false },
  ].map((each) => ({ ...each, restored: batch.restored }));
}

function chunk(
  batch: ProjectionBatch<SearchChange>,
  from: number,
  to: number,
  after: ProjectionBatch<SearchChange>["after"],
  position: ProjectionBatch<SearchChange>["position"],
): ProjectionBatch<SearchChange> {
  const parked = batch.parked.filter((event) => event.position > after && event.position <= position);
  const landmarks = batch.landmarks?.filter((landmark) => landmark.position <= position);
  return { after, position, changes: batch.changes.slice(from, to), parked, ...(landmarks && { landmarks }) };
}

/**
 * If one document changes several times, only the last change counts: it is the whole state. They come in the order of
 * the log, however it is cut into batches: of equal hits, the one that changed last comes first.
 */
export function lastPerDocument(changes: readonly SearchChange[]): readonly DocumentChange[] {
  const last = new Map<string, DocumentChange>();
  for (const change of changes) {
    if (!isDocumentChange(change)) continue;
    const { datasourceId, documentId } = change.kind === "documentIndexed" ? change.document : change;
    const key = `${datasourceId}:${documentId}`;
    last.delete(key);
    last.set(key, change);
  }
  return [...last.values()];
}
