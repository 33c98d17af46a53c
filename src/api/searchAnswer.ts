import { json, type tags } from "typia";
import { answerMessage } from "../http/validation/message.js";
import type { CustomProperty, FileFacts, FilePart } from "../events/document.js";
import { ok } from "../shared/result.js";
import type { Bonus, Reading, ScoredPart, ExplainedMatch, Explanation } from "../readModels/explanation.js";
import type { SearchedField } from "../shared/texts.js";
import type { SearchFacets, HitSummary, DocumentDetails, SearchHit, SearchPage } from "../readModels/search.js";
import { inUtc } from "../shared/instant.js";
import { queryOf, required, textParameter, flag } from "../http/validation/parameters.js";

/** One search result. */
interface SearchResultAnswer extends HitSummaryAnswer {
  /** The best passage: matches in `<mark>`, everything else escaped for HTML. */
  snippet: string;
  /** Comparable within one answer alone. Where a model orders the first hits, the order is not that of the scores. */
  score: number;
  /** With `explain` alone. */
  explanation?: ExplanationAnswer;
}

/** How many documents have a value. */
interface FacetCountAnswer {
  /** What the filter of the same field takes. */
  value: string;
  count: number;
}

/** What the results are counted by: what was asked for with `facets`. */
interface FacetsAnswer {
  /** `eq`: all that match are counted; `gte`: that would have cost too much, and there are at least so many. */
  relation: "eq" | "gte";
  file_type?: FacetCountAnswer[];
  datasource?: FacetCountAnswer[];
  author?: FacetCountAnswer[];
  /** All windows, the shortest first; a longer one holds the shorter ones. */
  last_modified?: FacetCountAnswer[];
}

/** A word of the query, and a word that it was taken for. */
interface CorrectionAnswer {
  /** The word as it was typed. */
  from: string;
  /** The word as a result writes it; in lower case and without accents where no result of this page holds it. */
  to: string;
}

/** Answer of `GET /api/beta/search`. */
interface SearchAnswer {
  results: SearchResultAnswer[];
  total: number;
  /** `eq`: `total` is exact; `gte`: there are at least so many. */
  total_relation: "eq" | "gte";
  /**
   * Only where the search would have cost too much: the answer holds what was found until then; `total_relation` is
   * `gte`.
   */
  partial?: true;
  count: number;
  start_page: number;
  /**
   * Only where words were corrected, each with up to three words that it was taken for. A word is corrected only where
   * no document that the person may see holds it or a word that contains it; quotes insist on it.
   */
  corrected?: CorrectionAnswer[];
  /** Only where the query excludes something: what no result holds, as it was typed, without the minus. */
  excluded?: string[];
  /**
   * Only where the query has more than 64 telling words: how many of them were not looked for, because they tell least.
   */
  words_left_out?: number & tags.Type<"uint32">;
  /** With `facets` alone. */
  facets?: FacetsAnswer;
  /** With `as_of` or `as_user` alone: ISO instant as of when this was visible; null: before the first event. */
  as_of?: string | null;
  /** With `as_of` or `as_user` alone: position of the last event that counts. */
  as_of_position?: string;
  /** With `as_of` or `as_user` alone: to whom it was visible. */
  as_user?: string;
  /** With `as_of` or `as_user` alone: what such an answer can say, and what it cannot. */
  note?: string;
}

export const searchAnswer = answerMessage(json.schema<SearchAnswer>());
/** What search and metadata say of a document; never its access list. */
interface HitSummaryAnswer {
  /** What the metadata endpoint takes as `document_id`. */
  id: string;
  title: string;
  datasource: string;
  data_source_sub: string | null;
  data_source_sub_sub: string | null;
  file_type: string;
  path: string | null;
  path_preview: string | null;
  author: string | null;
  last_modified: string | null;
}

/** The parameters of `GET /api/beta/document/metadata`. */
export const documentMetadataQuestion = queryOf(
  {
    document_id: required(
      textParameter("The `id` of a search result, percent-encoded.", (id) => id, { type: "string", minLength: 1 }),
    ),
    include_text_content: flag("true adds `text_content`."),
  },
  ({ document_id: documentId, include_text_content: includeTextContent }) => ok({ documentId, includeTextContent }),
);

/** What a file says of itself. null: nobody could tell. */
export interface FileFactsAnswer {
  /** What the client called the file, where its content shows another type. */
  declared_mime_type: string | null;
  title: string | null;
  author: string | null;
  /** ISO 639-1, such as `de`. */
  language: string | null;
  /** Pages, slides or sheets. */
  page_count: number | null;
  created_at: string | null;
  modified_at: string | null;
  /** Some of the text was recognized in images. */
  ocr_used: boolean;
  /** Pages whose text was to be recognized and was not: there was no time, or they cannot be painted. */
  unrecognized_pages: number;
  /** The text was longer than what is kept of one. */
  truncated: boolean;
  /** The files inside this one, in the order of its text: attachments, entries of an archive. At most 100. */
  parts: FilePartAnswer[];
}

/** A file inside another one, whose text is a part of the outer one's. */
interface FilePartAnswer {
  name: string;
  /** Where its name and then its text begin in `text_content`, in UTF-16 units. */
  at: number;
  mime_type: string | null;
  /** Why it was not read; null: it was. */
  unread: string | null;
}

/** Answer of `GET /api/beta/document/metadata`. */
interface DocumentMetadataAnswer extends HitSummaryAnswer {
  /** For a file, the type that its content shows. */
  mime_type: string;
  /** Bytes of the body as it was sent. */
  size: number;
  /** null: the document was sent as text. */
  file: FileFactsAnswer | null;
  custom_properties: CustomProperty[];
  indexed_at: string;
  /** Only where `include_text_content` is true. */
  text_content?: string;
}

export const documentMetadataAnswer = answerMessage(json.schema<DocumentMetadataAnswer>());

/** A field that holds a word. */
interface ExplainedFieldAnswer {
  field: SearchedField;
  /** What an occurrence there counts. */
  weight: number;
}

/** One way in which a document holds a word of the query. */
interface ExplainedMatchAnswer {
  /**
   * `as_typed`, in any form of the word; `completion`: a word that begins with it; `compound`: a word that it is a part
   * of; `name_parts`: all parts of a name; `compound_part`: one of the two words that it is made of; `apart`: the two
   * words that it is made of, both; `joined`: words that follow each other, written as one; `correction`: a word that
   * it may be a misspelling of.
   */
  reading: Reading;
  /** Up to three forms, as the document writes them; none where they stand further on than was looked. */
  written: string[];
  /** Where they stand; of a long document's text, in the passage that says most. */
  fields: ExplainedFieldAnswer[];
  /** How often, each as its field weighs it. */
  occurrences: number;
  /** What this reading is worth, compared with the word as typed. */
  weight: number;
  /** How much the word tells: the fewer of the documents that the person may see hold it, the more. */
  rarity: number;
  /** What of that counts, by occurrences and length (BM25): at most 2.2. */
  share: number;
  /** `weight` times `rarity` times `share`. */
  score: number;
}

/** A word of the query, and what it adds. */
interface ExplainedWordAnswer {
  /** The word as it was typed. */
  word: string;
  /** The score of its best match; 0 where the document does not hold it. */
  score: number;
  /** The best matches first, three at most. */
  matches: ExplainedMatchAnswer[];
}

/** What adds to a score besides words. */
interface ExplainedBonusAnswer {
  /**
   * `title_begins`: the title begins with the query; `title_is`: it is the query; `name_together`: the parts of a name
   * stand together; `exact`: words stand there exactly as typed; `in_order`: words follow each other as in the query;
   * `near`: words stand within a sentence. The last three count for the first twenty documents alone.
   */
  bonus: Bonus;
  score: number;
}

/** Where two rankings put the document, from 1; null: not among those that were fused. */
interface ExplainedFusionAnswer {
  by_words: number | null;
  by_meaning: number | null;
  /** The sum of 1 / (59 + place). Results are ordered by it; where it is equal, by `score`. */
  worth: number;
}

/** Where the document stood, and where the model has put it, from 1. */
interface ExplainedRerankAnswer {
  before: number;
  after: number;
}

/**
 * Why a result is where it is, told by what scored it: `score` is `language_factor` times the sum of what words and
 * bonuses add, but for rounding, unless `scored` is `place`.
 */
export interface ExplanationAnswer {
  /** The result's. */
  score: number;
  /**
   * What was scored: the `document` as a whole; of a long one its best `passage`; nothing, because it keeps its `place`
   * behind those that were scored; nothing, because it was found by its `meaning` alone.
   */
  scored: ScoredPart;
  /** Where the passage stands in `text_content`, in UTF-16 units. Only where one was scored. */
  passage?: { start: number; end: number };
  /** Below 1 where the document is in another language than the reader's. */
  language_factor: number;
  words: ExplainedWordAnswer[];
  bonuses: ExplainedBonusAnswer[];
  /** Only where documents were found by their meaning, too. */
  fusion?: ExplainedFusionAnswer;
  /** Only where a model has ordered the first results. */
  reranked?: ExplainedRerankAnswer;
}

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

/** What a file says of itself, in the API's words. */
export const toFileFactsAnswer = (file: FileFacts): FileFactsAnswer => ({
  declared_mime_type: file.declaredMimeType ?? null,
  title: file.title ?? null,
  author: file.author ?? null,
  language: file.language ?? null,
  page_count: file.pageCount ?? null,
  created_at: file.createdAt ?? null,
  modified_at: file.modifiedAt ?? null,
  ocr_used: file.ocrUsed ?? false,
  unrecognized_pages: file.unrecognizedPages ?? 0,
  truncated: file.truncated ?? false,
  parts: (file.parts ?? []).map(toFilePartAnswer),
});

const toFilePartAnswer = ({ name, at, mimeType, unread }: FilePart): FilePartAnswer => ({
  name,
  at,
  mime_type: mimeType ?? null,
  unread: unread ?? null,
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

const toMatchAnswer = ({ reading, written, fields, ...match }: ExplainedMatch): ExplainedMatchAnswer => ({
  reading,
  written: [...written],
  fields: fields.map(({ field, weight }) => ({ field, weight })),
  occurrences: match.occurrences,
  weight: match.weight,
  rarity: match.rarity,
  share: match.share,
  score: match.score,
});

/** Why a hit is where it is, in the API's words. */
const toExplanationAnswer = ({
  score: total,
  scored,
  passage,
  languageFactor,
  words,
  bonuses,
  fusion,
  reranked,
}: Explanation): ExplanationAnswer => ({
  score: total,
  scored,
  ...(passage && { passage: { start: passage.start, end: passage.end } }),
  language_factor: languageFactor,
  words: words.map(({ word, score, matches }) => ({ word, score, matches: matches.map(toMatchAnswer) })),
  bonuses: bonuses.map(({ bonus, score }) => ({ bonus, score })),
  ...(fusion && { fusion: { by_words: fusion.byWords, by_meaning: fusion.byMeaning, worth: fusion.worth } }),
  ...(reranked && { reranked: { before: reranked.before, after: reranked.after } }),
});
