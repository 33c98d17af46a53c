import { WrittenRuns, type WrittenRun } from "./joinedForms.js";
import { forEachToken } from "./tokens.js";
import { WrittenNumbers, type WrittenName } from "./writtenNumbers.js";
import { joinedWordOf, surfaceOf, wordOf, type Surface, type Word } from "./words.js";

/** A token of a query. */
export interface QueryToken {
  readonly surface: Surface;
  /** The token as it was typed. */
  readonly typed: string;
  /** Where it begins in the text. */
  readonly start: number;
}

/** Only in documents does the last character of an unspaced run stand alone: a query's pairs hold it already. */
export function tokensIn(text: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  let previousEnd = -1;
  forEachToken(text, 0, text.length, (start, end) => {
    if (end !== previousEnd) tokens.push(...tokenAt(text, start, end));
    previousEnd = end;
  });
  return tokens;
}

/** The sequence that documents hold, except at its end: there a run may go on in the document. */
export function sequenceIn(text: string): readonly Word[] {
  const words: Word[] = [];
  let previousEnd = -1;
  let repeatsLast = false;
  forEachToken(text, 0, text.length, (start, end) => {
    repeatsLast = end === previousEnd;
    previousEnd = end;
    words.push(...tokenAt(text, start, end).map(({ surface }) => surface.word));
  });
  return repeatsLast ? words.slice(0, -1) : words;
}

function tokenAt(text: string, start: number, end: number): QueryToken[] {
  const typed = text.slice(start, end);
  const surface = surfaceOf(typed);
  return surface === null ? [] : [{ surface, typed, start }];
}

/** What a text writes as one name, by where each of its tokens begins. */
export function runsIn(text: string): ReadonlyMap<number, WrittenRun> {
  const runs = new Map<number, WrittenRun>();
  const see = (run: WrittenRun): void => run.tokens.forEach(({ start }) => runs.set(start, run));
  gather(text, new WrittenRuns(text, see, () => undefined));
  return runs;
}

/** The numbers of a text, in all stretches that may be one. */
export function numbersIn(text: string): readonly WrittenName[] {
  const numbers: WrittenName[] = [];
  gather(text, new WrittenNumbers(text, (number) => numbers.push(number)));
  return numbers;
}

function gather(text: string, names: Pick<WrittenNumbers, "see" | "end">): void {
  forEachToken(text, 0, text.length, (start, end) => names.see(start, end));
  names.end();
}

const plainWord = /^[\p{L}\p{N}\p{M}]+$/u;

/** What documents hold that write the name in one word, or as it is typed. */
export const termsOfForm = (form: string): readonly string[] =>
  plainWord.test(form) ? wordOf(form).terms() : [joinedWordOf(form).joinedTerm()];
