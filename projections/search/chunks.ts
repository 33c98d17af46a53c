import type { ProjectionBatch } from "../ports.js";
import { isDocumentChange, type DocumentChange, type SearchChange } from "./changes.js";

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
