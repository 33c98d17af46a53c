import type { FindTextPart, Queries } from "../../queries/queries.js";
import { analyseQuery } from "../analysis/analyseQuery.js";
import { bestPassagesOfRanked, withHeadings, type PlacedText, type RankedPassage } from "../analysis/passages.js";
import { ChatFailure } from "./chat.js";
import type { DocumentDetails, SearchHit, TextPart } from "../readModels/search.js";
import type { Email } from "../shared/ids.js";
import type { Position } from "../shared/position.js";
import { ReadModelUnavailable } from "../shared/failures.js";

/** A passage of a document that the person may see. */
export interface FoundPassage {
  /** `{datasource}__{document}`. */
  readonly id: string;
  readonly title: string;
  /** The address that its source gave it (`path_preview`); null: none. */
  readonly url: string | null;
  readonly path: string | null;
  readonly lastModified: string | null;
  readonly datasource: string;
  /** The passage, after a line with the headings that it stands under. */
  readonly text: string;
  readonly score: number;
}

interface InternalSearchRequest {
  readonly person: Email;
  /** The question as somebody asks it: any word may match, and quotes and signs mean nothing. */
  readonly query: string;
  /** How many passages at most. */
  readonly count: number;
  /** Values of the `data_source` filter; null: everything. */
  readonly sources: readonly string[] | null;
  /** The search covers the log up to this position at least; null: what is served. */
  readonly atLeast?: Position | null;
  readonly signal?: AbortSignal;
}

/** What a person may see of what was indexed, by passages. */
export interface InternalSearch {
  /**
   * The passages that answer best, best first; never a longer text. What has changed, vanished or been closed to the
   * person since it was found is left out. Throws `ReadModelUnavailable` where an engine cannot answer.
   */
  search(request: InternalSearchRequest): Promise<readonly FoundPassage[]>;
}

/** Texts of documents, for those who may see them. */
export interface DocumentTexts {
  /** The text that is served now, up to a million characters and some; null: there is none that the person may see. */
  read(person: Email, id: string, signal: AbortSignal): Promise<string | null>;
}

/** How many documents are read, the best ones. */
const documentsRead = 10;

/** How many characters of each, from its beginning; a part that is begun is read to its end. */
const charactersOfEach = 1_000_000;

const charactersInAll = 3_000_000;

type DocumentQueries = Pick<Queries, "search" | "findDocument" | "findTextPart">;

/** Search by passages with the queries of the read side, each of them asked as the person. */
export const createInternalSearch = (queries: DocumentQueries): InternalSearch => ({
  search: async ({ person, query, count, sources, atLeast = null, signal }) => {
    const question = asQuestion(query);
    const hits = await findDocuments(queries, { person, query: question, sources, atLeast });
    const read = await readTexts(
      queries,
      person,
      hits.map(({ id }) => id),
      signal,
    );
    const best = await bestPassagesOfRanked(withWordsMeant(question, hits), read, count, signal);
    return best.flatMap((passage) => {
      const document = read[passage.source];
      return document === undefined ? [] : [toFound(document.details, passage)];
    });
  },
});

/** Texts with the queries of the read side, each of them asked as the person. */
export const createDocumentTexts = (queries: Pick<Queries, "findDocument" | "findTextPart">): DocumentTexts => ({
  read: async (person, id, signal) => (await readTexts(queries, person, [id], signal))[0]?.text ?? null,
});

/** A text of more words is more than a question. */
const longestQuestion = 40;

const questionEnds = /[?？؟]/;

/**
 * A query without the signs of people who know how to search: straight quotes would require, and a minus would forbid.
 * A long text is cut to the questions in it, wherever they stand.
 */
function asQuestion(query: string): string {
  const plain = query
    .replace(/"([^"]*)"/g, "“$1”")
    .replaceAll('"', " ")
    .replace(/(?<!\S)-+/g, "");
  if (plain.split(/\s+/, longestQuestion + 1).length <= longestQuestion) return plain;
  const questions = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(plain)]
    .map(({ segment }) => segment)
    .filter((sentence) => questionEnds.test(sentence))
    .join(" ");
  return analyseQuery(questions).words.length > 0 ? questions : plain;
}

async function findDocuments(
  { search }: DocumentQueries,
  { person, query, sources, atLeast = null }: Pick<InternalSearchRequest, "person" | "query" | "sources" | "atLeast">,
): Promise<readonly SearchHit[]> {
  const filters = { datasources: sources, fileTypes: null, modifiedFrom: null, modifiedTo: null };
  const page = await search({ person, query, count: documentsRead, startPage: 0, ...filters, atLeast });
  // It is not known what there is: that is no answer that there was nothing.
  if (!page.ok && page.error.type === "NotYetConsistent") throw new ReadModelUnavailable("The search is behind.", 1);
  if (!page.ok && page.error.type === "TokenBeyondLog") throw tokenBeyondLog();
  // A filter that can be no name finds nothing, and a question holds no more than a search takes.
  return page.ok ? page.value.hits : [];
}

const tokenBeyondLog = (): ChatFailure =>
  new ChatFailure({
    ...{ status: 409, code: "token_beyond_log" },
    message: "X-Consistency-Token names a write that the log of this service does not hold. Ask again without it.",
  });

/**
 * A question with the words that the search took for some of it, as it marks them in snippets: corrected ones, and
 * parts of compounds. Without these no passage would answer what documents were found for.
 */
function withWordsMeant(question: string, hits: readonly Pick<SearchHit, "snippet">[]): string {
  const asked = new Set(analyseQuery(question).words.flatMap(({ terms }) => terms));
  const marks = hits.flatMap(({ snippet }) => Array.from(snippet.matchAll(/<mark>([^<&]*)<\/mark>/g)));
  const words = new Set(marks.map(([, word = ""]) => word));
  const isAsked = (word: string): boolean =>
    analyseQuery(word).words.some(({ terms }) => terms.some((term) => asked.has(term)));
  return [question, ...[...words].filter((word) => !isAsked(word))].join(" ");
}

/** A document as it was when its text was read. */
interface QuotedDocument extends PlacedText {
  readonly details: DocumentDetails;
}

async function readTexts(
  queries: Pick<DocumentQueries, "findDocument" | "findTextPart">,
  person: Email,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly QuotedDocument[]> {
  const asked = ids.map((id) => ({ person, id, includeText: true, atLeast: null }));
  const beginnings = await Promise.all(asked.map((question) => queries.findDocument(question)));
  const read: QuotedDocument[] = [];
  let room = charactersInAll;
  for (const found of beginnings) {
    signal?.throwIfAborted();
    if (!found.ok || found.value.text === null || room <= 0) continue;
    const { details, text: first } = found.value;
    const text = await readOn(queries, { person, id: details.id, details }, first, Math.min(room, charactersOfEach));
    if (text === null) continue;
    read.push({ details, title: details.title, text, place: read.length });
    room -= text.length;
  }
  return read;
}

/** The text as far as it is read; null where the document has changed meanwhile, or may not be seen any more. */
async function readOn(
  { findTextPart }: Pick<DocumentQueries, "findTextPart">,
  document: Omit<FindTextPart, "part">,
  first: TextPart,
  most: number,
): Promise<string | null> {
  let { text } = first;
  for (let part = 1; part < first.parts && text.length < most; part++) {
    const next = await findTextPart({ ...document, part });
    if (!next.ok) return null;
    text += next.value.text;
  }
  return text;
}

const toFound = (
  { id, title, pathPreview, path, lastModified, datasource }: DocumentDetails,
  passage: RankedPassage,
): FoundPassage => ({
  ...{ id, title, url: pathPreview, path, lastModified, datasource, score: passage.score },
  text: withHeadings(passage),
});
