import { type AnswerEvent, type CompletionRequest, type Source, ChatFailure, type Evidence } from "../chat.js";
import type { Attached } from "../completion/attachments.js";
import type { Answering } from "../completion/modelAnswer.js";
import { questionOf } from "../completion/prompt.js";
import { snippetOf } from "../completion/citations.js";
import { estimateTokens } from "../completion/contextWindow.js";
import type { ToolName } from "../../events/agent.js";
import { longestQuery, type Finding, type SearchOutcome, type Searches } from "../tools/searches.js";
import { analyseQuery } from "../../analysis/analyseQuery.js";
import { type Language, cutText } from "../../shared/texts.js";
import {
  bestPassagesInTurns,
  bestPassagesOfRanked,
  passagesOf,
  type Passage,
  type PlacedText,
} from "../../analysis/passages.js";
import { isStopWord } from "../../analysis/stopWords.js";

/** How much each search may bring. */
const findingsOfEach = 10;

interface AskedOfExtractive {
  readonly request: CompletionRequest;
  readonly searches: Searches;
  readonly attached: readonly Attached[];
}

/** An answer without a model: what the request's searches and files say about its question, quoted. */
export const extractiveModelAnswer = (asked: AskedOfExtractive, signal: AbortSignal): Answering => ({
  events: quote(asked, signal),
  droppedMessages: () => 0,
  toolsLeftOut: () => [],
});

async function* quote(
  { request: { turns, language }, searches, attached }: AskedOfExtractive,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void, void> {
  const question = questionOf(turns);
  // No query leaves for an answer that would not rest on what it finds.
  const found = asksNothing(question) ? [] : await search(searches, question, signal);
  const evidence = [...attached.flatMap(({ findings }) => findings), ...found];
  const hasSources = Object.keys(searches).length > 0 || attached.length > 0;
  const { pieces, cited } = await extractiveAnswer({ question, language, evidence, hasSources }, signal);
  let completionTokens = 0;
  for (const text of pieces) {
    completionTokens += estimateTokens(text);
    yield { kind: "text", text };
  }
  const promptTokens = evidence.reduce((sum, { text }) => sum + estimateTokens(text), estimateTokens(question));
  const usage = { promptTokens, completionTokens };
  yield {
    kind: "end",
    finishReason: "stop",
    usage,
    sources: cited.map(sourceOf),
    droppedMessages: 0,
    toolsLeftOut: [],
  };
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

/** What a quotation is of. The first is `[1]`. */
interface CitedEvidence {
  readonly evidence: Evidence;
  /** The first of its passages that is quoted, as it stands in it. */
  readonly passage: string;
}

interface ExtractiveAnswer {
  /** The answer bit by bit. */
  readonly pieces: Iterable<string>;
  /** In the order of their numbers; each document, page and file once. */
  readonly cited: readonly CitedEvidence[];
}

/** An answer has at most so many quotations, of about 200 words each. */
const mostQuotations = 4;

/** A passage is left out that fits the question less than this part of the one that fits it best. */
const leastShare = 0.3;

/** A text that is hardly longer than a passage is quoted whole. */
const quotedWhole = 2_800;

/** How long the pieces are that an answer comes in. */
const pieceLength = 120;

/**
 * Answers with the passages of the evidence that fit the question best, quoted as they are written and numbered. What
 * it says besides is one fixed sentence. It says that it found nothing where no content word of the question is in the
 * evidence, and what it can do where it was given nothing to look in.
 */
export async function extractiveAnswer(request: ExtractiveRequest, signal?: AbortSignal): Promise<ExtractiveAnswer> {
  const { question, evidence, hasSources } = request;
  const { found, beginning, ...says } = phrases[answerLanguage(question, request.language)];
  if (!hasSources) return saying(says.nothingGiven);
  if (asksNothing(question)) {
    const files = evidence.filter(({ kind }) => kind === "file").slice(0, mostQuotations);
    return quotingOr(says.nothingAsked, beginning, files.flatMap(beginningOf));
  }
  const quotations = await bestQuotations(question, evidence, signal);
  return quotingOr(says.nothingFound, found, quotations);
}

interface Quotation {
  readonly evidence: Evidence;
  readonly heading: string | null;
  readonly text: string;
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

const saying = (sentence: string): ExtractiveAnswer => ({ pieces: inPieces([sentence]), cited: [] });

function quoting(sentence: string, quotations: readonly Quotation[]): ExtractiveAnswer {
  const keys = quotations.map(({ evidence }) => keyOf(evidence));
  const numbers = [...new Set(keys)];
  const cited = quotations.filter((_quotation, at) => keys.indexOf(keys[at] ?? "") === at);
  const blocks = quotations.map(
    (quotation, at) => `${headOf(quotation, numbers.indexOf(keys[at] ?? "") + 1)}\n\n${quoted(quotation.text)}`,
  );
  return {
    pieces: inPieces([sentence, ...blocks]),
    cited: cited.map(({ evidence, text }) => ({ evidence, passage: text })),
  };
}

/** Passages of one document, page or file have one number. */
const keyOf = ({ kind, id, url, title }: Evidence): string => `${kind} ${id ?? url ?? title}`;

/** `[1] Title › Heading · 2024-05-01 · address` */
function headOf({ evidence: { title, url, date }, heading }: Quotation, number: number): string {
  const name = inLine(heading === null ? title : `${title} › ${heading}`);
  const parts = [name, date?.slice(0, "2024-05-01".length) ?? "", url === null ? "" : inLine(url)];
  return `[${number}] ${parts.filter((part) => part !== "").join(" · ")}`;
}

/** Blocks of an answer, a blank line between them. */
function* inPieces(blocks: readonly string[]): Generator<string, void, void> {
  for (const [at, block] of blocks.entries())
    for (const piece of cutText(at === 0 ? block : `\n\n${block}`, () => pieceLength)) yield piece;
}

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
    nothingFound: "I found nothing about this that I may show.",
    nothingGiven:
      "I am a model that writes nothing itself, but quotes from sources. Without sources I cannot answer: please ask " +
      "with the tool `internalSearch` or `webSearch`, or about an uploaded file.",
    nothingAsked:
      "The question names nothing that I could look for. I quote from documents, web pages and files what fits a " +
      "question best.",
  },
};

/*
 * Chat programs render answers as Markdown, with HTML and links in it. What is quoted must stay text for all of them,
 * and stay as it was written: backslashes would neither do for all nor be the text. Code does; it is used where the
 * text holds anything that could be markup.
 */

/** Control characters, and those that turn the direction of writing: nobody sees them, and they change what is seen. */
// oxlint-disable-next-line no-control-regex
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * What Markdown, its extensions for tables, formulas and links, or HTML could take for markup: marks, addresses that
 * become links by themselves, and the beginnings of lists, headings, rules, tables and indented code.
 */
const mayBeMarkup = /[*_~`<>[\]\\|&$^@]|\/\/|\bwww\.|\p{L}\.\p{L}{2,}|^[ \t]|^[-+#=:]|^\d+[.)](?:\s|$)/mu;

/** A text as it is quoted: without what nobody sees, its lines ended alike. */
export const visibleText = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(invisible, "")
    .trim();

/** A quotation on lines of its own. */
export function quoted(text: string): string {
  const visible = visibleText(text);
  if (!mayBeMarkup.test(visible)) return visible.replace(/^/gm, "> ").replace(/^> $/gm, ">");
  const fence = "`".repeat(Math.max(3, longestRun(visible) + 1));
  return `${fence}text\n${visible}\n${fence}`;
}

/** A text within a line, such as a title. */
export function inLine(text: string): string {
  const line = visibleText(text).replace(/\s+/g, " ");
  if (!mayBeMarkup.test(line)) return line;
  const ticks = "`".repeat(longestRun(line) + 1);
  // A blank keeps a backtick of the text apart.
  return /^`|`$/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
