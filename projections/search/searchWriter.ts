import type { DatasourceId } from "../../src/shared/ids.js";
import type { ProjectionBatch, ProjectionWriter } from "../ports.js";
import { isDocumentChange, type DatasourceChange, type SearchChange } from "./changes.js";
import { lastPerDocument, chunksOf } from "./chunks.js";
import type { SearchIndexWriter } from "./ports.js";
import { prepareDocuments, type PreparationSources } from "./prepareDocuments.js";

/** How much text is held and analysed at a time. */
const maxPieceBytes = 16 * 1024 * 1024;

export interface SearchWriterOptions extends PreparationSources {
  readonly index: SearchIndexWriter;
}

/** Brings changes into the search index, whatever engine holds it: loads texts, mints tokens, analyses, writes. */
export function createSearchWriter({ index, contents, tokens }: SearchWriterOptions): ProjectionWriter<SearchChange> {
  const applyPiece = async (chunk: ProjectionBatch<SearchChange>): Promise<"applied" | "checkpointConflict"> => {
    const datasources = chunk.changes.filter((change): change is DatasourceChange => !isDocumentChange(change));
    const changes = lastPerDocument(chunk.changes);
    const searchable = await searchableAfter(index, datasources, changes.map(datasourceOf));
    const documents = await prepareDocuments(changes, searchable, { contents, tokens });
    const { after, position, parked, restored, landmarks, moreToCome } = chunk;
    return index.write({ after, position, parked, restored, landmarks, moreToCome, datasources, documents });
  };
  return {
    checkpoint: () => index.checkpoint(),
    async apply(batch) {
      for (const chunk of chunksOf(batch, maxPieceBytes))
        if ((await applyPiece(chunk)) === "checkpointConflict") return "checkpointConflict";
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
