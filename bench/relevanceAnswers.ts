import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { FindDocument, Search } from "../queries/queries.js";
import { extractiveAnswer } from "../src/chat/extractive/extractiveModel.js";
import { createInternalSearch, type InternalSearch } from "../src/chat/internalSearch.js";
import type { DocumentDetails, SearchHit } from "../src/readModels/search.js";
import { toEmail } from "../src/shared/ids.js";
import { failed, ok } from "../src/shared/result.js";

/** What answers of the extractive model hold; shares of questions, and means of answers. */
export interface AnswerScores {
  /** A paragraph that answers is quoted, or a passage of it. */
  readonly quoted: number;
  /** It is quoted from its first word to its last. */
  readonly quotedWhole: number;
  readonly quotations: number;
  readonly words: number;
}

/** Means of answers to every second question, by which the model was tuned, and to the others. */
export type AnswersMeasured = Readonly<Record<"tuned half" | "other half", AnswerScores>>;

export const measuredAnswers = (scores: readonly AnswerScores[]): AnswersMeasured => ({
  "tuned half": meansOf(scores.filter((_score, at) => at % 2 === 0)),
  "other half": meansOf(scores.filter((_score, at) => at % 2 === 1)),
});

function meansOf(scores: readonly AnswerScores[]): AnswerScores {
  const mean = (pick: (score: AnswerScores) => number): number =>
    scores.reduce((sum, score) => sum + pick(score), 0) / Math.max(1, scores.length);
  return {
    quoted: mean(({ quoted }) => quoted),
    quotedWhole: mean(({ quotedWhole }) => quotedWhole),
    quotations: mean(({ quotations }) => quotations),
    words: mean(({ words }) => words),
  };
}

/** How many passages the internal search of the chat brings. */
const passages = 6;

/** Asks a path of the service, and answers with the body. */
export type Get = (path: string) => Promise<unknown>;

/** What a question is answered with by the extractive model, with internal search in one datasource. */
export interface AskedAnswers {
  readonly get: Get;
  readonly datasource: string;
  /** The paragraph of a search id. */
  readonly paragraphOf: (id: string) => RelevanceCollection["documents"][number] | undefined;
}

type Question = RelevanceCollection["questions"][number];

/** Answers one question, and says what of the answer is right. */
export async function scoreAnswer(
  { get, datasource, paragraphOf }: AskedAnswers,
  question: Question,
): Promise<AnswerScores> {
  const asked = { person: toEmail("relevance@example.org"), query: question.text, count: passages };
  const found = await searchThrough(get, datasource).search({ ...asked, sources: [datasource] });
  const evidence = found.map(({ id, title, url, text }) => ({
    kind: "document" as const,
    id,
    url,
    title,
    text,
    date: null,
  }));
  const { pieces, cited } = await extractiveAnswer({
    ...{ question: question.text, language: "de", evidence, hasSources: true },
  });
  const answer = [...pieces].join("");
  const right = cited
    .map(({ evidence: { id } }) => paragraphOf(id ?? ""))
    .filter((paragraph) => paragraph !== undefined && question.gains.has(paragraph.id));
  return {
    quoted: Number(right.length > 0),
    quotedWhole: Number(right.some((paragraph) => paragraph !== undefined && answer.includes(paragraph.text.trim()))),
    quotations: answer.match(/^(?:>|`{3,}text$)/gm)?.length ?? 0,
    words: answer.split(/\s+/).length,
  };
}

/** The internal search of the service, with its questions asked through HTTP. */
function searchThrough(get: Get, datasource: string): InternalSearch {
  const ask = async <Answer>(path: string, parameters: Readonly<Record<string, string>>): Promise<Answer> =>
    (await get(`${path}?${new URLSearchParams(parameters).toString()}`)) as Answer;
  return createInternalSearch({
    search: async ({ query, count }: Search) => {
      const parameters = { query, count: String(count), data_source: datasource };
      const { results } = await ask<{ results: readonly SearchHit[] }>("/api/beta/search", parameters);
      return ok({ hits: results, total: results.length, totalRelation: "eq" as const });
    },
    findDocument: async ({ id }: FindDocument) => {
      const parameters = { document_id: id, include_text_content: "true" };
      type Metadata = DocumentDetails & { readonly text_content: string };
      const { text_content: text, ...details } = await ask<Metadata>("/api/beta/document/metadata", parameters);
      return ok({ details: { ...details, pathPreview: null }, text: { text, parts: 1 } });
    },
    findTextPart: async ({ id }) => failed({ type: "DocumentNotFound" as const, id }),
  });
}

/** Means over questions, of the first ten results. */
export interface RelevanceScores {
  /** One over the rank of the first answer. */
  readonly reciprocalRank: number;
  /** Gains discounted by the logarithm of their rank, against the best order there is. */
  readonly discountedGain: number;
  /** Share of the answers that are among the ten. */
  readonly recall: number;
}

const depth = 10;

/** Scores one question's results: document ids, best first. */
export function scoreResults(results: readonly string[], gains: ReadonlyMap<string, number>): RelevanceScores {
  const found = results.slice(0, depth).map((id) => gains.get(id) ?? 0);
  const first = found.findIndex((gain) => gain > 0);
  const best = [...gains.values()].sort((a, b) => b - a).slice(0, depth);
  return {
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    discountedGain: discounted(best) === 0 ? 0 : discounted(found) / discounted(best),
    recall: gains.size === 0 ? 0 : found.filter((gain) => gain > 0).length / gains.size,
  };
}

const discounted = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);

/** The mean of each score. */
export function meanScores(scores: readonly RelevanceScores[]): RelevanceScores {
  const mean = (pick: (score: RelevanceScores) => number): number =>
    scores.reduce((sum, score) => sum + pick(score), 0) / Math.max(1, scores.length);
  return {
    reciprocalRank: mean((score) => score.reciprocalRank),
    discountedGain: mean((score) => score.discountedGain),
    recall: mean((score) => score.recall),
  };
}

/** A collection to measure relevance with: documents, questions, and which documents answer which question. */
export interface RelevanceCollection {
  /** The file name's beginning. */
  readonly name: string;
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** Questions that have an answer. */
  readonly questions: readonly { readonly text: string; readonly gains: ReadonlyMap<string, number> }[];
}

const documentsEnding = ".docs.tsv";

/**
 * Reads every collection of a folder: `NAME.docs.tsv` (id, title, text), `NAME.queries.tsv` (id, text),
 * `NAME.qrels.tsv` (question, document, gain); no headers.
 */
export function readCollections(folder: string): readonly RelevanceCollection[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(documentsEnding))
    .map((file) => basename(file, documentsEnding))
    .sort();
  if (names.length === 0)
    throw new Error(`No collection found: ${folder} holds no file that ends in ${documentsEnding}.`);
  return names.map((name) => readCollection(folder, name));
}

function readCollection(folder: string, name: string): RelevanceCollection {
  const gains = new Map<string, Map<string, number>>();
  for (const [question = "", document = "", gain = "1"] of rowsOf(join(folder, `${name}.qrels.tsv`))) {
    if (Number(gain) <= 0) continue;
    const known = gains.get(question) ?? new Map<string, number>();
    gains.set(question, known.set(document, Number(gain)));
  }
  return {
    name,
    documents: rowsOf(join(folder, `${name}${documentsEnding}`)).map(([id = "", title = "", text = ""]) => ({
      id,
      title,
      text,
    })),
    questions: rowsOf(join(folder, `${name}.queries.tsv`)).flatMap(([id = "", text = ""]) => {
      const answers = gains.get(id);
      return answers === undefined ? [] : [{ text, gains: answers }];
    }),
  };
}

const rowsOf = (file: string): readonly (readonly string[])[] =>
  readFileSync(file, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
