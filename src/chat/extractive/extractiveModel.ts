import { type AnswerEvent, type CompletionRequest, type Source, ChatFailure, type Evidence } from "../chat.js";
import type { Attached } from "../completion/attachments.js";
import type { Answering } from "../completion/modelAnswer.js";
import { questionOf } from "../completion/prompt.js";
import { snippetOf } from "../completion/citations.js";
import { estimateTokens } from "../completion/contextWindow.js";
import type { ToolName } from "../../events/agent.js";
import { longestQuery, type Finding, type SearchOutcome, type Searches } from "../tools/searches.js";
import { analyseQuery } from "../../analysis/analyseQuery.js";
import { detectLanguage } from "../../analysis/analyseDocument.js";
import type { Language } from "../../shared/texts.js";
import {
  bestPassagesInTurns,
  bestPassagesOfRanked,
  passagesOf,
  type Passage,
  type PlacedText,
} from "../../analysis/passages.js";
import { isStopWord } from "../../analysis/stopWords.js";
import { quoting, saying, type CitedEvidence, type ExtractiveAnswer, type Quotation } from "./quotations.js";
import { summaryOf, summedUp } from "./summary.js";
import { subjectOfSummary } from "./summaryRequest.js";

/** How much each search may bring. */
const findingsOfEach = 10;

interface AskedOfExtractive {
  readonly request: CompletionRequest;
  readonly searches: Searches;
  readonly attached: readonly Attached[];
  /** The whole text of a document that a search has found; null: it may not be seen any more. */
  readText(id: string, signal: AbortSignal): Promise<string | null>;
}

/** An answer without a model: what the request's searches and files say about its question, quoted. */
export const extractiveModelAnswer = (asked: AskedOfExtractive, signal: AbortSignal): Answering => ({
  events: quote(asked, signal),
  droppedMessages: () => 0,
  toolsLeftOut: () => [],
});

async function* quote(
  { request: { turns, language }, searches, attached, readText }: AskedOfExtractive,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void, void> {
  const question = questionOf(turns);
  const files = attached.flatMap(({ findings }) => findings);
  const query = queryOf(turns, files);
  const found = query === null ? [] : await search(searches, query, signal);
  const evidence = await withWholeTexts(question, [...files, ...found], (id) => readText(id, signal));
  const hasSources = Object.keys(searches).length > 0 || attached.length > 0;
  const { pieces, cited } = await extractiveAnswer({ question, language, evidence, hasSources }, signal);
  let completionTokens = 0;
  for (const text of pieces) {
    completionTokens += estimateTokens(text);
    yield { kind: "text", text };
  }
  const promptTokens = evidence.reduce((sum, { text }) => sum + estimateTokens(text), estimateTokens(question));
  const usage = { promptTokens, completionTokens };
  const told = { droppedMessages: 0, toolsLeftOut: [] };
  yield { kind: "end", finishReason: "stop", usage, sources: cited.map(sourceOf), ...told };
}

/**
 * What is searched for: the question, or what it names of which it wants a summary. A summary of nothing that has a
 * name is one of the files, or of what was asked for before. null: no query leaves for an answer that would not rest on
 * what it finds.
 */
function queryOf(turns: CompletionRequest["turns"], files: readonly Finding[]): string | null {
  const question = questionOf(turns);
  const subject = subjectOfSummary(question);
  if (subject === null) return asksNothing(question) ? null : question;
  if (summedUp(subject, files).length > 0) return null;
  const last = turns.findLastIndex(({ role }) => role === "user");
  const earlier = questionOf(turns.slice(0, last));
  return [subject, earlier, question].find((query) => !asksNothing(query)) ?? null;
}

/** The evidence, where a summary rests on it with the whole texts of documents instead of the passages found. */
async function withWholeTexts(
  question: string,
  evidence: readonly Finding[],
  readText: (id: string) => Promise<string | null>,
): Promise<readonly Finding[]> {
  const subject = subjectOfSummary(question);
  const [first] = subject === null ? [] : summedUp(subject, evidence);
  if (first?.kind !== "document" || first.id === null) return evidence;
  const text = await readText(first.id);
  const others = evidence.filter(({ kind, id }) => kind !== "document" || id !== first.id);
  return text === null ? evidence : [{ ...(first as Finding), text }, ...others];
}

/** All of them side by side: each is asked the question, and nothing that another found. */
async function search(searches: Searches, question: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const outcomes = await Promise.all(
    (Object.keys(searches) as ToolName[]).map((name) =>
      searches[name]?.(question.slice(0, longestQuery[name]), findingsOfEach, signal),
    ),
  );
  const found = outcomes.flatMap((outcome: SearchOutcome = []) => (typeof outcome === "string" ? [] : outcome));
  const trouble = outcomes.find((outcome) => typeof outcome === "string");
  if (found.length === 0 && trouble !== undefined)
    throw new ChatFailure({ status: 503, code: "search_unavailable", message: trouble });
  return found;
}

const sourceOf = ({ evidence: { id, url, title, date }, passage }: CitedEvidence): Source => ({
  ...{ id, url: url ?? "", title, snippet: snippetOf(passage), date },
});

export interface ExtractiveRequest {
  readonly question: string;
  /** The language of the answer to a question that is too short to show one. */
  readonly language: Language;
  /** What searches found, best first, and what files say, in their order. */
  readonly evidence: readonly Evidence[];
  /** Whether there was anything to look in: tools, or files. */
  readonly hasSources: boolean;
}

/** An answer has at most so many quotations, of about 200 words each. */
const mostQuotations = 4;

/** A passage is left out that fits the question less than this part of the one that fits it best. */
const leastShare = 0.3;

/** A text that is hardly longer than a passage is quoted whole. */
const quotedWhole = 2_800;

/**
 * Answers with the passages of the evidence that fit the question best, quoted as they are written and numbered. What
 * it says besides is one fixed sentence. It says that it found nothing where no content word of the question is in the
 * evidence, and what it can do where it was given nothing to look in.
 */
export async function extractiveAnswer(request: ExtractiveRequest, signal?: AbortSignal): Promise<ExtractiveAnswer> {
  const { question, evidence, hasSources } = request;
  const summary = summaryIn(request);
  if (summary !== null) return summary;
  const { found, beginning, ...says } = phrases[answerLanguage(question, request.language)];
  if (!hasSources) return saying(says.nothingGiven);
  if (asksNothing(question)) {
    const files = evidence.filter(({ kind }) => kind === "file").slice(0, mostQuotations);
    return quotingOr(says.nothingAsked, beginning, files.flatMap(beginningOf));
  }
  const quotations = await bestQuotations(question, evidence, signal);
  return quotingOr(says.nothingFound, found, quotations);
}

/** The summary that a question asks for; null: it asks for none, or of nothing that is there. */
function summaryIn({ question, evidence, language }: ExtractiveRequest): ExtractiveAnswer | null {
  const subject = subjectOfSummary(question);
  const quotations = subject === null ? [] : summaryOf(summedUp(subject, evidence));
  if (quotations.length === 0) return null;
  const inText = detectLanguage(quotations.map(({ text }) => text).join("\n"));
  return quoting(phrases[inText ?? answerLanguage(question, language)].summary, quotations);
}

/** Whether a question holds no word that one could look for. */
const asksNothing = (question: string): boolean =>
  analyseQuery(question).words.every(({ word }) => isStopWord(word, "de") || isStopWord(word, "en"));

function beginningOf(evidence: Evidence): readonly Quotation[] {
  const [first] = passagesOf(evidence.text.slice(0, 2 * quotedWhole));
  return first === undefined ? [] : [quotationOf(evidence, first)];
}

async function bestQuotations(
  question: string,
  given: readonly Evidence[],
  signal: AbortSignal | undefined,
): Promise<readonly Quotation[]> {
  const evidence = await placed(question, given, signal);
  const passages = await bestPassagesOfRanked(question, evidence, 2 * mostQuotations, signal);
  const best = Math.max(...passages.map(({ score }) => score));
  const quotations = passages
    .filter(({ score }) => score >= leastShare * best)
    .flatMap((passage) => {
      const from = evidence[passage.source];
      return from === undefined ? [] : [quotationOf(from.evidence, passage)];
    });
  return [...new Map(quotations.map((quotation) => [quotation.text, quotation])).values()].slice(0, mostQuotations);
}

type PlacedEvidence = PlacedText & { readonly evidence: Evidence };

/**
 * Evidence with its place among that of its kind. Searches bring it best first; parts of files come in the order of the
 * file, and are placed as they answer.
 */
async function placed(
  question: string,
  given: readonly Evidence[],
  signal: AbortSignal | undefined,
): Promise<readonly PlacedEvidence[]> {
  const ofKind = (wanted: Evidence["kind"]): readonly Evidence[] => given.filter(({ kind }) => kind === wanted);
  const files = ofKind("file");
  const ranked = await bestPassagesInTurns(question, files, files.length, signal);
  const bestFiles = [...new Set(ranked.map(({ source }) => source))].flatMap((source) => files[source] ?? []);
  return [bestFiles, ofKind("document"), ofKind("web")].flatMap((kind) =>
    kind.map((evidence, place) => ({ evidence, place, text: evidence.text, title: evidence.title })),
  );
}

const quotationOf = (evidence: Evidence, { heading, text }: Passage): Quotation =>
  evidence.text.length <= quotedWhole ? { evidence, heading: null, text: evidence.text } : { evidence, heading, text };

const quotingOr = (otherwise: string, sentence: string, quotations: readonly Quotation[]): ExtractiveAnswer =>
  quotations.length === 0 ? saying(otherwise) : quoting(sentence, quotations);

/** A question of fewer words shows no language surely. */
const fewestWords = 4;

/** The language in which a question is answered: its own, or the given one where it is short or shows none. */
function answerLanguage(question: string, otherwise: Language): Language {
  const words = question.split(/\s+/).filter((word) => word !== "").length;
  return (words < fewestWords ? null : analyseQuery(question).language) ?? otherwise;
}

/** The sentences that the extractive model says itself. All others of an answer are quotations. */
interface Phrases {
  /** Before quotations. */
  readonly found: string;
  /** Before the beginning of a file, where the question names nothing to look for. */
  readonly beginning: string;
  /** Before the sections of what is summed up. */
  readonly summary: string;
  /** Where nothing that was found holds a word of the question. */
  readonly nothingFound: string;
  /** Where it was given nothing to look in. */
  readonly nothingGiven: string;
  /** Where the question names nothing to look for. */
  readonly nothingAsked: string;
}

export const phrases: Readonly<Record<Language, Phrases>> = {
  de: {
    found: "Ich formuliere nichts selbst, sondern zitiere wörtlich, was am besten zu der Frage passt:",
    beginning: "Die Frage nennt nichts, wonach ich suchen könnte. So beginnt, was ich lesen soll:",
    summary: "Ich formuliere nichts selbst, sondern zitiere wörtlich, wie die Abschnitte beginnen:",
    nothingFound: "Dazu habe ich nichts gefunden, was ich zeigen darf.",
    nothingGiven:
      "Ich bin ein Modell, das nichts selbst formuliert, sondern aus Quellen zitiert. Ohne Quellen kann ich nicht " +
      "antworten: Bitte stellen Sie die Frage mit dem Werkzeug `internalSearch` oder `webSearch` oder zu einer " +
      "hochgeladenen Datei.",
    nothingAsked:
      "Die Frage nennt nichts, wonach ich suchen könnte. Ich zitiere aus Dokumenten, Webseiten und Dateien, was am " +
      "besten zu einer Frage passt.",
  },
  en: {
    found: "I write nothing myself, but quote word for word what fits the question best:",
    beginning: "The question names nothing that I could look for. This is how what I am to read begins:",
    summary: "I write nothing myself, but quote word for word how the sections begin:",
    nothingFound: "I found nothing about this that I may show.",
    nothingGiven:
      "I am a model that writes nothing itself, but quotes from sources. Without sources I cannot answer: please ask " +
      "with the tool `internalSearch` or `webSearch`, or about an uploaded file.",
    nothingAsked:
      "The question names nothing that I could look for. I quote from documents, web pages and files what fits a " +
      "question best.",
  },
};
