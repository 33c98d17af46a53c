import { isUnspacedCharacter } from "./characters.js";
import { accountIn, areCapitalsMeant, isByCapitals, markedForm } from "./joinedForms.js";
import { queryBounds } from "./queryBounds.js";
import { numbersIn, runsIn, sequenceIn, termsOfForm, tokensIn } from "./queryTokens.js";
import { characterWordOf, joinedWordOf, type Word } from "./words.js";

/** Adjacent terms, one sequence per language. A document matches with any of the sequences. */
export interface QueryPhrase {
  readonly sequences: readonly (readonly string[])[];
}

/** The words of a text as neighbours. */
export const neighboursIn = (text: string): QueryPhrase => ({
  sequences: sequencesOf(sequenceIn(text).slice(0, queryBounds.phraseWords)),
});

/**
 * What a text in quotes demands: a name as it is, or its words as neighbours, and each of them with its mark (`C#`).
 */
export function demandedIn(text: string): readonly QueryPhrase[] {
  const name = formOfName(text);
  return name === null ? [neighboursIn(text), ...markedFormsIn(text).map(formDemanded)] : [formDemanded(name)];
}

/** What a text with a minus excludes; of one word all that meets it: `email` is E-Mail, too, and `寺` is in 寺院. */
export function excludedBy(text: string): QueryPhrase {
  const name = formOfName(text);
  if (name !== null) return formDemanded(name);
  const words = sequenceIn(text);
  const [first] = words;
  if (words.length === 1 && first !== undefined && isUnspacedCharacter(first.text))
    return { sequences: [[characterWordOf(first.text).joinedTerm()]] };
  const numbers = numbersIn(text).filter(({ text: written }) => written === text.trim());
  const forms = words.length === 1 ? words.map((word) => word.text) : formsOf(text);
  return {
    sequences: distinct([
      ...neighboursIn(text).sequences,
      ...[...forms, ...numbers.flatMap((number) => number.forms)].flatMap(termsOfForm).map((term) => [term]),
    ]),
  };
}

/** The phrases of the first parts of a query, as many parts as count. A part that holds no word does not count. */
export const boundedPhrases = (parts: readonly (readonly QueryPhrase[])[]): readonly QueryPhrase[] =>
  parts
    .filter(([first]) => first !== undefined && first.sequences.length > 0)
    .slice(0, queryBounds.phrases)
    .flat();

/** How documents hold an account, however it is grouped, or a single word with a mark, as one word. */
function formOfName(text: string): string | null {
  return accountIn(text) ?? (tokensIn(text).length === 1 ? (markedFormsIn(text)[0] ?? null) : null);
}

/**
 * Distinct. The marks of longer names are told by these names. A dot before a word is demanded of nothing: what a text
 * has before that dot decides whether it is a mark, and the quotes have cut it off.
 */
function markedFormsIn(text: string): readonly string[] {
  const runs = runsIn(text);
  const tokens = tokensIn(text);
  const areMeant = areCapitalsMeant(tokens.map(({ typed }) => typed));
  const forms = tokens.flatMap(({ start, typed, surface }) => {
    if (runs.get(start)?.tokens.length !== 1) return [];
    const folded = surface.word.text;
    const form = markedForm(text, { start, end: start + typed.length }, folded);
    return form?.startsWith(folded) === true && (areMeant || !isByCapitals(form)) ? [form] : [];
  });
  return [...new Set(forms)];
}

const formDemanded = (form: string): QueryPhrase => ({ sequences: [[joinedWordOf(form).joinedTerm()]] });

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
  return distinct(([null, "de", "en"] as const).map((language) => words.map((word) => word.termIn(language))));
}

const distinct = (sequences: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(sequences.map((sequence) => [sequence.join(" "), sequence])).values(),
];
