import type { DocumentOutcome, IndexedDocument } from "../../commands/commands.js";
import type { ChildSub, Datasource } from "../events/datasource.js";
import type { FileFacts } from "../events/fileFacts.js";
import type { SearchFacets } from "../readModels/facets.js";
import type { HitSummary, DocumentDetails, SearchHit, SearchPage } from "../readModels/search.js";
import { toExplanationAnswer } from "./explanationAnswers.js";
import type { DatasourceAnswer } from "./messages/datasourceAnswer.js";
import type { HitSummaryAnswer } from "./messages/hitSummaryAnswer.js";
import type { DocumentIndexAnswer, DocumentResult } from "./messages/documentIndexAnswer.js";
import type { DocumentMetadataAnswer, FileFactsAnswer } from "./messages/documentMetadata.js";
import { inUtc } from "../shared/instant.js";
import type { FacetsAnswer, SearchAnswer, SearchResultAnswer } from "./messages/searchAnswer.js";
import type { SubAnswer } from "./messages/subAnswer.js";

/** A datasource with its whole sub tree, in the spec's words. */
export const toDatasourceAnswer = ({
  name,
  displayName,
  icon,
  subs,
  objectDefinitions,
  defaultAccess,
}: Datasource): DatasourceAnswer => ({
  name,
  display_name: displayName,
  icon_base64: icon,
  subs: subs.map((sub) => toSubAnswer(sub, null)),
  object_definitions: objectDefinitions.map((definition) => ({
    name: definition.name,
    property_definitions: definition.propertyDefinitions.map((property) => ({
      name: property.name,
      display_label: property.displayLabel,
      is_searchable: property.isSearchable,
      property_type: property.propertyType,
    })),
  })),
  default_access: defaultAccess,
});

/** A sub with those nested in it. */
export const toSubAnswer = (
  { name, key, subs = [] }: ChildSub & { readonly subs?: readonly ChildSub[] },
  parentKey: string | null,
): SubAnswer => ({ name, key, parent_key: parentKey, subs: subs.map((child) => toSubAnswer(child, key)) });

const toDocumentResult = ({ documentId, outcome, message }: IndexedDocument): DocumentResult => ({
  document_id: documentId,
  outcome,
  message,
});

/** The fixed sentence of the single form (spec: Document index result). */
const singleMessage = "document sent to the indexing pipeline.";

/**
 * The answer to the single form: names the datasource, counts nothing. What was not sent does not say that it was: then
 * the message is that of the document's result.
 */
export const toSingleIndexAnswer = (datasource: string, indexed: readonly IndexedDocument[]): DocumentIndexAnswer =>
  toSingleAnswer(datasource, indexed, indexed.find(({ outcome }) => outcome !== "sent")?.message ?? singleMessage);

/** The same for what was only decided. */
export const toSingleTrialAnswer = (datasource: string, indexed: readonly IndexedDocument[]): DocumentIndexAnswer =>
  toSingleAnswer(datasource, indexed, indexed[0]?.message ?? "");

const toSingleAnswer = (
  datasource: string,
  indexed: readonly IndexedDocument[],
  message: string,
): DocumentIndexAnswer => ({
  status: "ok",
  datasource,
  documents_received: null,
  message,
  results: indexed.map(toDocumentResult),
});

/** The answer to the array form: results in the order of the documents. */
export const toArrayIndexAnswer = (indexed: readonly IndexedDocument[]): DocumentIndexAnswer => {
  const count = (outcome: DocumentOutcome): number => indexed.filter((document) => document.outcome === outcome).length;
  return {
    status: "ok",
    documents_received: indexed.length,
    message: `${count("sent")} sent, ${count("already_indexed")} already indexed, ${count("skipped")} skipped, ${count("failed")} failed.`,
    results: indexed.map(toDocumentResult),
  };
};

const toHitSummaryAnswer = (summary: HitSummary): HitSummaryAnswer => ({
  id: summary.id,
  title: summary.title,
  datasource: summary.datasource,
  data_source_sub: summary.sub,
  data_source_sub_sub: summary.childSub,
  file_type: summary.fileType,
  path: summary.path,
  path_preview: summary.pathPreview,
  author: summary.author,
  last_modified: summary.lastModified === null ? null : inUtc(summary.lastModified),
});

const toSearchResultAnswer = (hit: SearchHit): SearchResultAnswer => ({
  ...toHitSummaryAnswer(hit),
  snippet: hit.snippet,
  score: hit.score,
  ...(hit.explanation && { explanation: toExplanationAnswer(hit.explanation) }),
});

/** One page of results, for who asked for so many. */
export const toSearchAnswer = (
  { hits, total, totalRelation, partial, facets, corrected, excluded, wordsLeftOut }: SearchPage,
  { count, startPage }: { readonly count: number; readonly startPage: number },
): SearchAnswer => ({
  results: hits.map(toSearchResultAnswer),
  total,
  total_relation: totalRelation,
  ...(partial && { partial }),
  count,
  start_page: startPage,
  ...(corrected && { corrected: corrected.map(({ from, to }) => ({ from, to })) }),
  ...(excluded && { excluded: [...excluded] }),
  ...(wordsLeftOut && { words_left_out: wordsLeftOut }),
  ...(facets && { facets: toFacetsAnswer(facets) }),
});

const toFacetsAnswer = ({ relation, counts }: SearchFacets): FacetsAnswer => ({
  relation,
  ...(Object.fromEntries(Object.entries(counts).map(([field, values]) => [field, [...values]])) as Omit<
    FacetsAnswer,
    "relation"
  >),
});

const toFileFactsAnswer = (file: FileFacts): FileFactsAnswer => ({
  declared_mime_type: file.declaredMimeType ?? null,
  title: file.title ?? null,
  author: file.author ?? null,
  language: file.language ?? null,
  page_count: file.pageCount ?? null,
  created_at: file.createdAt ?? null,
  modified_at: file.modifiedAt ?? null,
  ocr_used: file.ocrUsed ?? false,
  truncated: file.truncated ?? false,
});

/** `text` is null where it was not asked for. */
export const toMetadataAnswer = (details: DocumentDetails, text: string | null): DocumentMetadataAnswer => ({
  ...toHitSummaryAnswer(details),
  mime_type: details.mimeType,
  size: details.size,
  file: details.file === undefined ? null : toFileFactsAnswer(details.file),
  custom_properties: [...details.customProperties],
  indexed_at: details.indexedAt,
  ...(text === null ? {} : { text_content: text }),
});
