import type { Source } from "../chat.js";
import { beginningOf } from "../../shared/texts.js";

/** A place of a text at which a source is cited: UTF-16 units, the end excluded. */
interface Citation {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** A citation that is longer than this is none. */
const longest = "[9999]".length;

/** More of them would make an answer that is longer than all texts. */
const mostCitations = 1_000;

const cited = /\[(\d{1,4})\]/g;

/** Finds `[n]` in a text that comes bit by bit, without keeping the text. */
export class Citations {
  private readonly found: Citation[] = [];
  /** The end of what has come, as far as a citation may begin in it. */
  private rest = "";
  /** Where it begins. */
  private offset = 0;

  add(text: string): void {
    this.rest += text;
    let read = 0;
    for (const match of this.rest.matchAll(cited)) {
      const end = match.index + match[0].length;
      if (this.found.length < mostCitations)
        this.found.push({ number: Number(match[1]), start: this.offset + match.index, end: this.offset + end });
      read = end;
    }
    const kept = Math.max(read, this.rest.length - longest);
    this.offset += kept;
    this.rest = this.rest.slice(kept);
  }

  /** The citations of sources that exist. */
  of(sources: readonly Source[]): readonly (Citation & { readonly source: Source })[] {
    return this.found.flatMap((citation) => {
      const source = sources[citation.number - 1];
      return source === undefined ? [] : [{ ...citation, source }];
    });
  }
}

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

/** The part of a text that a source quotes, in one line. */
export function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= longestSnippet) return line;
  return `${beginningOf(line, longestSnippet)}…`;
}
