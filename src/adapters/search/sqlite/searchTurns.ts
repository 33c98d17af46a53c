import { LRUCache } from "lru-cache";
import { ReadModelUnavailable } from "../../../shared/readModelUnavailable.js";

/** How many searches of one person may wait where nothing else is said. */
const usuallyWaiting = 1_000;
/** How many people are remembered for what they have had while others waited. */
const rememberedPeople = 10_000;

/**
 * Shares the time for searches fairly among people: whoever has had the least of it goes next. So one who asks for
 * little waits for no more than what is being answered, however much others ask for. (Start-time fair queueing.)
 */
export class SearchTurns {
  /** Searches that wait, by person; those who wait longest first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** Milliseconds that each person has had, counted from the same beginning as {@link share}. */
  private readonly had = new LRUCache<string, number>({ max: rememberedPeople });
  /** What whoever went last had had then. Who comes now has had no less: time that was not asked for is not saved up. */
  private share = 0;
  private running = 0;

  /**
   * @param atOnce how many searches are answered at once.
   * @param mostWaiting how many searches of one person may wait.
   * @param now milliseconds of a clock that never goes back.
   */
  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting = usuallyWaiting,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Rejects with `ReadModelUnavailable` where too many searches of this person wait already. */
  async take<Answer>(person: string, search: () => Promise<Answer>): Promise<Answer> {
    if (this.running < this.atOnce) this.running += 1;
    else await this.turnOf(person);
    this.share = this.hadBy(person);
    const begun = this.now();
    try {
      return await search();
    } finally {
      this.had.set(person, this.hadBy(person) + this.now() - begun);
      this.passOn();
    }
  }

  private hadBy(person: string): number {
    return Math.max(this.share, this.had.get(person) ?? 0);
  }

  private turnOf(person: string): Promise<void> {
    const queue = this.waiting.get(person) ?? [];
    if (queue.length >= this.mostWaiting)
      throw new ReadModelUnavailable(
        `${this.mostWaiting} searches of this person wait already. Ask again once some are answered.`,
      );
    this.waiting.set(person, queue);
    return new Promise((resolve) => void queue.push(resolve));
  }

  private passOn(): void {
    const person = this.leastServed();
    if (person === null) {
      this.running -= 1;
      return;
    }
    const queue = this.waiting.get(person);
    const start = queue?.shift();
    if (queue?.length === 0) this.waiting.delete(person);
    start?.();
  }

  /** Of those who wait; of equals, who waits longest. null: nobody waits. */
  private leastServed(): string | null {
    let least: string | null = null;
    for (const person of this.waiting.keys())
      if (least === null || this.hadBy(person) < this.hadBy(least)) least = person;
    return least;
  }
}
