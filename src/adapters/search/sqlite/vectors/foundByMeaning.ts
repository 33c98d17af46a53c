import type { QueryMeaning } from "../../../../../queries/ports.js";
import type { TextRange } from "../../../../analysis/nearness.js";
import {
  fusedByWords,
  mostByMeaning,
  placesInBoth,
  withMeaning,
  type PlacesInBoth,
} from "../../../../analysis/rankFusion.js";
import type { Scores } from "../scores.js";
import type { Visibility } from "../visibility.js";
import type { NearDocument } from "./nearest.js";
import type { Vectors } from "./vectors.js";

interface Sought {
  /** Left out: nothing is looked for. */
  readonly meaning: QueryMeaning | undefined;
  readonly visibility: Pick<Visibility, "shows">;
  /** Tells what has the query's phrases, and nothing excluded; null: nothing is required. */
  readonly required: ((slot: number) => boolean) | null;
}

/** What one search has found by meaning. */
export class FoundByMeaning {
  static readonly nothing = new FoundByMeaning([], () => false);
  /** The near documents that hold none of the words. */
  private readonly alone: ReadonlyMap<number, NearDocument>;
  /** The ranking by words that was ordered last. */
  private ordered: readonly number[] = [];

  private constructor(
    private readonly near: readonly NearDocument[],
    isAlone: (slot: number) => boolean,
  ) {
    this.alone = new Map(near.flatMap((each) => (isAlone(each.slot) ? [[each.slot, each] as const] : [])));
  }

  /** Looks among what may be shown and has what is required. What is found scores from then on, however little. */
  static in(vectors: Vectors, { meaning, visibility, required }: Sought, scores: Scores): FoundByMeaning {
    if (meaning === undefined) return FoundByMeaning.nothing;
    const shows = (slot: number): boolean => visibility.shows(slot) && (required === null || required(slot));
    const near = vectors.nearest(meaning, shows, mostByMeaning);
    const found = new FoundByMeaning(near, (slot) => scores.bySlot[slot] === 0);
    scores.touch(Int32Array.from(near, ({ slot }) => slot));
    return found;
  }

  /** A test of what words have found that lets through what meaning has found. */
  orElse(test: ((slot: number) => boolean) | null): ((slot: number) => boolean) | null {
    if (test === null || this.isNothing) return test;
    const known = new Set(this.near.map(({ slot }) => slot));
    return (slot) => known.has(slot) || test(slot);
  }

  get isNothing(): boolean {
    return this.near.length === 0;
  }

  /** How far the ranking by words has to go for so many of the whole. */
  wanted(count: number): number {
    return this.isNothing ? count : Math.max(count, fusedByWords + this.alone.size);
  }

  /** A ranking without those that hold none of the words. */
  byWords(ranked: Int32Array): Int32Array {
    return this.alone.size === 0 ? ranked : ranked.filter((slot) => !this.alone.has(slot));
  }

  /** Both rankings in one. */
  order(byWords: readonly number[]): readonly number[] {
    this.ordered = byWords;
    return withMeaning(
      byWords,
      this.near.map(({ slot }) => slot),
    );
  }

  /** What is shown of a document that holds none of the words; null: it holds some. */
  passageOf(slot: number): TextRange | null {
    return this.alone.get(slot)?.passage ?? null;
  }

  /** Where both rankings put a document. Call it once they are in one. */
  placesOf(slot: number): PlacesInBoth {
    return placesInBoth(
      slot,
      this.ordered,
      this.near.map((each) => each.slot),
    );
  }
}
