import type { FindDocument, Search } from "../queries/queries.js";
import { extractiveAnswer } from "../src/chat/extractive/extractiveAnswer.js";
import { createInternalSearch, type InternalSearch } from "../src/chat/internalSearch.js";
import type { DocumentDetails, SearchHit } from "../src/readModels/search.js";
import { toEmail } from "../src/shared/ids.js";
import { failed, ok } from "../src/shared/result.js";
import type { RelevanceCollection } from "./relevanceCollections.js";

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
