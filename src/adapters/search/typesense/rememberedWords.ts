import { LRUCache } from "lru-cache";
import { rememberedMs, type TermStatistics } from "./termStatistics.js";

interface Remembered<Answer> {
  readonly answer: Answer;
  /** The state of the index that was seen before it was asked for; null: none was. */
  readonly seen: string | null;
}

/**
 * What the vocabulary has answered lately: words of everybody's, before anybody's documents decide. People who type on
 * ask for the same words again and again, so an answer serves for as long as the frequencies that decide on it.
 */
export class RememberedWords<Answer extends object> {
  private readonly known: LRUCache<string, Remembered<Answer>>;

  constructor(most: number) {
    this.known = new LRUCache({ max: most, ttl: rememberedMs });
  }

  /** Undefined where it has to be asked for. */
  get(key: string, { mayBeBehind, seen }: TermStatistics): Answer | undefined {
    const found = this.known.get(key);
    if (found === undefined) return undefined;
    return mayBeBehind || (seen !== null && found.seen === seen) ? found.answer : undefined;
  }

  set(key: string, answer: Answer, { seen }: TermStatistics): void {
    this.known.set(key, { answer, seen });
  }
}
