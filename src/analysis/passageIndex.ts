import type { DocumentText } from "./documentText.js";
import type { Language } from "../shared/texts.js";
import { passageRangesOf } from "./passageBorders.js";
import { PassagePages } from "./passagePages.js";
import { titleWeight } from "./rankingRules.js";
import { addSurfaces, type Surface, type Word } from "./words.js";

/** Passages that follow each other are scored as one where they are short: up to about this many words. */
const usualWords = 200;

const mostWords = 300;
const mostCharacters = 5_000;

/**
 * Which passages of a text hold which terms, packed into pages of 512 passages, in the text's order: `passageScores.ts`
 * reads them. Short passages are taken together up to about 200 words, and one begins where the one before ends, so
 * that its heading is in it. The terms of all headings above count in it as well, and those of title and properties in
 * all.
 */
export function* passageIndexOf({ title, texts }: DocumentText, language: Language | null): Generator<Uint8Array> {
  const [body = "", ...properties] = texts;
  const termsIn = termsOfRange(language);
  const everywhere = new Map<string, number>();
  termsIn(title, 0, title.length, (term) => count(everywhere, term, titleWeight));
  for (const property of properties) termsIn(property, 0, property.length, (term) => count(everywhere, term, 1));
  const pages = new PassagePages(everywhere);
  for (const { start, end, heading } of stretchesOf(body)) {
    const page = pages.begin(start, end);
    if (page !== null) yield page;
    termsIn(body, start, end, (term) => pages.add(term));
    if (heading !== null) termsIn(heading, 0, heading.length, (term) => pages.addMissing(term));
  }
  const last = pages.finish();
  if (last !== null) yield last;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Above its beginning. */
  readonly heading: string | null;
}

/** Passages without gaps between them, short ones together. */
function* stretchesOf(text: string): Generator<Stretch, void, void> {
  let open: (Stretch & { readonly words: number }) | null = null;
  for (const { end, heading, words } of passageRangesOf(text)) {
    const before: Stretch & { readonly words: number } = open ?? { start: 0, end: 0, heading, words: 0 };
    const goesOn =
      before.words < usualWords && before.words + words <= mostWords && end - before.start <= mostCharacters;
    if (goesOn || before.words === 0) open = { ...before, end, words: before.words + words };
    else {
      yield before;
      open = { start: before.end, end, heading, words };
    }
  }
  if (open !== null) yield open;
}

const count = (counts: Map<string, number>, term: string, times: number): unknown =>
  counts.set(term, (counts.get(term) ?? 0) + times);

const termsOfRange =
  (language: Language | null) =>
  (text: string, start: number, end: number, visit: (term: string) => void): void => {
    const surfaces: Surface[] = [];
    const joined = new Set<Word>();
    addSurfaces(text.slice(start, end), surfaces, joined);
    for (const { word } of surfaces) visit(word.termIn(language));
    for (const word of joined) visit(word.termIn(language));
  };
