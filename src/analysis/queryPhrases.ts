import { accountIn, markedForm } from "./joinedForms.js";
import { queryBounds } from "./queryBounds.js";
import { runsIn, sequenceIn, termsOfForm, tokensIn } from "./queryTokens.js";
import { joinedWordOf, type Word } from "./words.js";

/** Adjacent terms, one sequence per language. A document matches with any of the sequences. */
export interface QueryPhrase {
  readonly sequences: readonly (readonly string[])[];
}

/** The words of a text as neighbours. */
export const neighboursIn = (text: string): QueryPhrase => ({
  sequences: sequencesOf(sequenceIn(text).slice(0, queryBounds.phraseWords)),
});

/** What a text in quotes demands: a name as it is, or its words as neighbours, and each of them with its mark (`C#`). */
export function demandedIn(text: string): readonly QueryPhrase[] {
  const name = nameIn(text);
  return name === null ? [neighboursIn(text), ...markedIn(text).map(named)] : [named(name)];
}

/** What a text with a minus excludes; of one word all that meets it: `email` is E-Mail, too. */
export function excludedBy(text: string): QueryPhrase {
  const name = nameIn(text);
  if (name !== null) return named(name);
  const { sequences } = neighboursIn(text);
  const words = sequenceIn(text);
  const [form] = words.length === 1 ? words.map((word) => word.text) : formsOf(text);
  return { sequences: form === undefined ? sequences : [...sequences, ...termsOfForm(form).map((term) => [term])] };
}

/** Those that say something, as many as count. */
export const phrasesOf = (phrases: readonly QueryPhrase[]): readonly QueryPhrase[] =>
  phrases.filter(({ sequences }) => sequences.length > 0).slice(0, queryBounds.phrases);

/** Of an account, however it is grouped, and of a word with a mark the form of which documents hold one term. */
function nameIn(text: string): string | null {
  return accountIn(text) ?? (tokensIn(text).length === 1 ? (markedIn(text)[0] ?? null) : null);
}

/**
 * The marks of longer names are told by these names. A dot before a word is demanded of nothing: what a text has before
 * that dot decides whether it is a mark, and the quotes have cut it off.
 */
function markedIn(text: string): readonly string[] {
  const runs = runsIn(text);
  return tokensIn(text).flatMap(({ start, typed, surface }) => {
    if (runs.get(start)?.tokens.length !== 1) return [];
    const folded = surface.word.text;
    const form = markedForm(text, { start, end: start + typed.length }, folded);
    return form?.startsWith(folded) === true ? [form] : [];
  });
}

const named = (form: string): QueryPhrase => ({ sequences: [[joinedWordOf(form).joinedTerm()]] });

/** How a text that is written as one may be written as one word. */
function formsOf(text: string): readonly string[] {
  const tokens = tokensIn(text);
  const [first, last] = [tokens[0], tokens.at(-1)];
  const run = first && runsIn(text).get(first.start);
  const isWhole = run !== undefined && last !== undefined && run.end >= last.start + last.typed.length;
  return isWhole && run.start === first?.start ? run.forms : [];
}

function sequencesOf(words: readonly Word[]): readonly (readonly string[])[] {
  if (words.length === 0) return [];
  const sequences = ([null, "de", "en"] as const).map((language) => words.map((word) => word.termIn(language)));
  return [...new Map(sequences.map((sequence) => [sequence.join(" "), sequence])).values()];
}
