import type { TextRange } from "./nearness.js";
import { passagesOf } from "./passages.js";

/** A passage as a model is shown it. */
interface EmbeddedPassage {
  /** Where it stands in the document's text, in UTF-16 units. */
  readonly passage: TextRange;
  readonly text: string;
}

/**
 * The passages of a document, each with what it is about: the title and the headings above it. A document without a
 * text is its title.
 */
export function embeddedPassagesOf(title: string, text: string): readonly EmbeddedPassage[] {
  const passages = passagesOf(text);
  if (passages.length === 0) return [{ passage: { start: 0, end: 0 }, text: title }];
  return passages.map(({ start, end, heading, text: written }) => ({
    passage: { start, end },
    text: [title, ...(heading === null ? [] : [heading]), written].join("\n"),
  }));
}
