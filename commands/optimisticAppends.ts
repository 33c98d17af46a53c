import { LRUCache } from "lru-cache";
import type { StreamName } from "../src/events/streams.js";

/** What is known of a family of streams. */
interface Family {
  /** How many streams in a row, up to the last one, were new. */
  newInARow: number;
  /** Guesses whose outcome is not known yet. */
  underWay: number;
  at: number;
}

/** A guess that a stream is new, to be told its outcome. */
interface NewStreamGuess {
  /** True where the stream was new, false where it was not; null where that did not come to light. */
  resolve(wasNew: boolean | null): void;
}

const rememberedFamilies = 1_000;
/** Guessing begins after this many new streams in a row. */
const guessFrom = 32;
/** The most guesses under way: where one is wrong, the others are likely to be wrong too. */
const mostUnderWay = 512;
/** After a pause the next commands are likely of another kind: a sync after an import. */
const forgottenAfterMs = 5_000;

/**
 * Guesses which streams are new from what was found of others of their family (the documents of one datasource). In an
 * import nearly all are new, and reading each before it is written costs a third of the import. In a sync hardly any
 * is, and a wrong guess costs an append. So at most as many guesses are under way as there were new streams in a row,
 * and the first wrong guess ends them.
 */
export class OptimisticAppends {
  private readonly families = new LRUCache<string, Family>({ max: rememberedFamilies });

  constructor(private readonly now: () => number) {}

  /** null where the stream had better be read. */
  guess(stream: StreamName): NewStreamGuess | null {
    const family = this.familyOf(stream);
    if (family.newInARow < guessFrom || family.underWay >= Math.min(family.newInARow, mostUnderWay)) return null;
    family.underWay++;
    return {
      resolve: (wasNew) => {
        family.underWay--;
        if (wasNew !== null) this.note(family, wasNew);
      },
    };
  }

  /** Takes note of whether a stream that was read is new. */
  learn(stream: StreamName, wasNew: boolean): void {
    this.note(this.familyOf(stream), wasNew);
  }

  private note(family: Family, wasNew: boolean): void {
    family.newInARow = wasNew ? family.newInARow + 1 : 0;
    family.at = this.now();
  }

  private familyOf(stream: StreamName): Family {
    const name = stream.slice(0, stream.indexOf(":") + 1);
    const known = this.families.get(name);
    if (known !== undefined && this.now() - known.at < forgottenAfterMs) return known;
    const family = { newInARow: 0, underWay: 0, at: this.now() };
    this.families.set(name, family);
    return family;
  }
}
