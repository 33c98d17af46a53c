import { beginningOf } from "../../shared/cutText.js";
import type { Source } from "../chat.js";

const longestSnippet = 500;

/** What the model has been shown in the course of one answer. A document that is found again keeps its number. */
export class SourceList {
  private readonly numbers = new Map<string, number>();
  private readonly sources: Source[] = [];

  /** The number of a source, from 1. Its snippet is the first passage that was found. */
  add(source: Source): number {
    const key = source.id ?? source.url;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.sources.push({ ...source, snippet: snippetOf(source.snippet) });
    this.numbers.set(key, this.sources.length);
    return this.sources.length;
  }

  get all(): readonly Source[] {
    return this.sources;
  }
}

/** As much of a text as a source quotes, in one line. */
export function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= longestSnippet) return line;
  return `${beginningOf(line, longestSnippet)}…`;
}
