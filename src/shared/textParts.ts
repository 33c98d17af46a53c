import { cutText, isHighSurrogate } from "./texts.js";

/** Search engines keep a text in parts of this many UTF-16 units, so that a snippet never loads a whole book. */
export const charactersPerPart = 100_000;

/**
 * The parts of a text; an empty one has none. Each begins at a multiple of {@link charactersPerPart}, or one unit
 * before where a surrogate pair would be cut.
 */
export function partsOf(text: string): readonly string[] {
  let cut = 0;
  return cutText(text, (part) => {
    const length = (part + 1) * charactersPerPart - cut;
    cut += length - (isHighSurrogate(text.charCodeAt(cut + length - 1)) ? 1 : 0);
    return length;
  });
}

/** The first and the last part that a stretch of a text is in. */
export const partsWith = ({ start, end }: Stretch): { readonly first: number; readonly last: number } => ({
  first: Math.floor(start / charactersPerPart),
  last: Math.floor(Math.max(start, end - 1) / charactersPerPart),
});

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a stretch of a text stands in those of its parts that begin with `first`, joined; off by one character at most,
 * where a part begins inside of a pair.
 */
export const withinParts = ({ start, end }: Stretch, first: number, joined: string): Stretch => ({
  start: Math.min(joined.length, start - first * charactersPerPart),
  end: Math.min(joined.length, end - first * charactersPerPart),
});
