import type { SearchPage } from "../../readModels/search.js";
import type { DatasourceId, DocumentId } from "../../shared/ids.js";
import type { SearchRequest } from "../../../queries/ports.js";

/** Documents of one incarnation of a datasource. */
export interface NamedDocuments {
  readonly datasourceId: DatasourceId;
  /** Distinct. */
  readonly documentIds: readonly DocumentId[];
}

/** Like a search, but among named documents instead of those that a person's tokens open. */
export interface SearchAmong extends Omit<SearchRequest, "held"> {
  readonly among: readonly NamedDocuments[];
}

/**
 * The search collection, for questions about the past: the named documents were visible once, no matter who may see
 * them now. It is another reader than that of ordinary searches, and even it has no way to ask for everything.
 */
export interface PastSearchReader {
  /**
   * Ranks those of the named documents that the collection holds today; nothing else can influence hits, snippets or
   * totals. Throws `ReadModelUnavailable` where its engine cannot answer.
   */
  searchAmong(request: SearchAmong): Promise<SearchPage>;
}
