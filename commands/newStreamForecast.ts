import { LRUCache } from "lru-cache";
import type { StreamName } from "../src/events/streams.js";

/** What a family of streams was found to be like. */
interface Found {
  /** So many in a row, up to the last one, were new. */
  newInARow: number;
  /** Guesses whose outcome is not known yet. */
  underWay: number;
  at: number;
}

/** A guess that has to be told what came of it. */
export interface Guess {
  /** True where the stream was new, false where it was not; null where that did not come to light. */
  settle(wasNew: boolean | null): void;
}

const rememberedFamilies = 1_000;
/** Guessing begins after so many new streams in a row. */
const guessFrom = 32;
/** Guesses under way are mistaken together, so there are never more than this. */
const mostUnderWay = 512;
/** What comes after a pause (a sync after an import) is something else. */
const forgottenAfterMs = 5_000;

/**
 * Guesses which streams are new, from what those of the same family (the documents of one datasource) were found to be.
 * In an import nearly all are, and reading each before it is written costs a third of the import; in a sync hardly any
 * is, and a wrong guess costs an append. So there may be as many guesses at a time as there were new streams in a row,
 * and the first that is wrong ends them.
 */
export class NewStreamForecast {
  private readonly families = new LRUCache<string, Found>({ max: rememberedFamilies });

  constructor(private readonly now: () => number) {}

  /** Null where the stream is better read. */
  guess(stream: StreamName): Guess | null {
    const found = this.familyOf(stream);
    if (found.newInARow < guessFrom || found.underWay >= Math.min(found.newInARow, mostUnderWay)) return null;
    found.underWay++;
    return {
      settle: (wasNew) => {
        found.underWay--;
        if (wasNew !== null) this.note(found, wasNew);
      },
    };
  }

  /** Tells what a stream that was read came out as. */
  learn(stream: StreamName, wasNew: boolean): void {
    this.note(this.familyOf(stream), wasNew);
  }

  private note(found: Found, wasNew: boolean): void {
    found.newInARow = wasNew ? found.newInARow + 1 : 0;
    found.at = this.now();
  }

  private familyOf(stream: StreamName): Found {
    const family = stream.slice(0, stream.indexOf(":") + 1);
    const known = this.families.get(family);
    if (known !== undefined && this.now() - known.at < forgottenAfterMs) return known;
    const found = { newInARow: 0, underWay: 0, at: this.now() };
    this.families.set(family, found);
    return found;
  }
}
