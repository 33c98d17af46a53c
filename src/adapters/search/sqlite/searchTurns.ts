import { LRUCache } from "lru-cache";
import { ReadModelUnavailable } from "../../../shared/failures.js";

/** How many searches of one person may wait where nothing else is said. */
const usuallyWaiting = 1_000;
/** How many people are remembered for what they have had while others waited. */
const rememberedPeople = 10_000;

/**
 * Shares the time for searches fairly among people: the person who has had the least of it goes next. So a person who
 * asks for little waits for no more than the searches that run, however much others ask for. (Start-time fair
 * queueing.)
 */
export class SearchTurns {
  /** Searches that wait, by person; those who wait longest first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** Milliseconds that each person has had, counted from the same beginning as {@link share}. */
  private readonly had = new LRUCache<string, number>({ max: rememberedPeople });
  /**
   * The time that the person who went last had had then. Anybody who comes now counts as having had no less: unused
   * time is not saved up.
   */
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

  /** The person who waits and has had the least; among equals, the one who waits longest. null: nobody waits. */
  private leastServed(): string | null {
    let least: string | null = null;
    for (const person of this.waiting.keys())
      if (least === null || this.hadBy(person) < this.hadBy(least)) least = person;
    return least;
  }
}
