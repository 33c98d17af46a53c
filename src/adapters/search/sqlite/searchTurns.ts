import { ReadModelUnavailable } from "../../../shared/readModelUnavailable.js";

/** How many searches of one person may wait where nothing else is said. */
const usuallyWaiting = 1_000;

/**
 * Lets people take turns: whoever asks for much waits for oneself, and holds up another person's search by no more than
 * what is being answered.
 */
export class SearchTurns {
  /** By person, whose turn comes next first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private running = 0;

  /**
   * @param atOnce how many searches are answered at once.
   * @param mostWaiting how many searches of one person may wait.
   */
  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting = usuallyWaiting,
  ) {}

  /** Rejects with `ReadModelUnavailable` where too many searches of this person wait already. */
  async take<Answer>(person: string, search: () => Promise<Answer>): Promise<Answer> {
    if (this.running < this.atOnce) this.running += 1;
    else await this.turnOf(person);
    try {
      return await search();
    } finally {
      this.passOn();
    }
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
    const [next] = this.waiting;
    if (next === undefined) {
      this.running -= 1;
      return;
    }
    const [person, queue] = next;
    const start = queue.shift();
    this.waiting.delete(person);
    if (queue.length > 0) this.waiting.set(person, queue);
    start?.();
  }
}
