import { analyseQuery } from "../../analysis/analyseQuery.js";
import type { Language } from "../../shared/language.js";
import {
  bestPassagesInTurns,
  bestPassagesOfRanked,
  passagesOf,
  type Passage,
  type PlacedText,
} from "../../analysis/passages.js";
import { isStopWord } from "../../analysis/stopWords.js";
import { cutText } from "../../shared/cutText.js";
import type { Evidence } from "../evidence.js";
import { answerLanguage } from "./answerLanguage.js";
import { phrases } from "./phrases.js";
import { inLine, quoted } from "./plainText.js";

export interface ExtractiveRequest {
  readonly question: string;
  /** Of the answer to a question that is too short to show one. */
  readonly language: Language;
  /** What searches found, best first, and what files say, in their order. */
  readonly evidence: readonly Evidence[];
  /** Whether there was anything to look in: tools, or files. */
  readonly hasSources: boolean;
}

/** What a quotation is of. The first is `[1]`. */
export interface CitedEvidence {
  readonly evidence: Evidence;
  /** The first of its passages that is quoted, as it stands in it. */
  readonly passage: string;
}

export interface ExtractiveAnswer {
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
export const asksNothing = (question: string): boolean =>
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
