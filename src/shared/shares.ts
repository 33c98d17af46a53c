/** What somebody holds of something that others need as well. */
export interface Holding {
  /** Holds so much more; false, and nothing changes, where that would be more than is left. */
  grow(amount: number): boolean;
  /** Gives everything back. May be called again. */
  release(): void;
}

interface Waiting {
  readonly holder: string;
  readonly amount: number;
  begin(): void;
}

/**
 * Something of which there is so much, and of which nobody gets more than what is left after it: alone one may hold
 * half, the next half of what that leaves, and a holder that comes then finds room (docs/design/http.md).
 */
export class Shares {
  private readonly heldBy = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();
  private held = 0;

  constructor(private readonly total: number) {}

  /** Whether somebody who holds nothing gets nothing. */
  get areGone(): boolean {
    return this.held + 1 > this.total;
  }

  /** Somebody's holding, of nothing yet. One holder may have several: they count together. */
  holding(holder: string): Holding {
    let mine = 0;
    const grow = (amount: number): boolean => {
      if (!this.isLeft(holder, amount)) return false;
      mine += amount;
      this.add(holder, amount);
      return true;
    };
    const release = (): void => {
      this.giveBack(holder, mine);
      mine = 0;
    };
    return { grow, release };
  }

  /**
   * Begins the work once there is so much for it, at most half of all there is, and in the order in which it was asked
   * for; who waits for what is theirs holds up nobody else. Rejects with the signal's reason where that aborts before.
   */
  async during<Value>(
    { holder, amount, signal }: { readonly holder: string; readonly amount: number; readonly signal: AbortSignal },
    work: () => Promise<Value>,
  ): Promise<Value> {
    await this.turnOf(holder, amount, signal);
    try {
      return await work();
    } finally {
      this.giveBack(holder, amount);
    }
  }

  private turnOf(holder: string, amount: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.delete(turn);
        reject(signal.reason as Error);
        this.next();
      };
      const turn: Waiting = { holder, amount, begin };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      this.waiting.add(turn);
      this.next();
    });
  }

  private giveBack(holder: string, amount: number): void {
    this.add(holder, -amount);
    this.next();
  }

  private next(): void {
    for (const turn of this.waiting) {
      const { holder, amount, begin } = turn;
      if (this.isLeft(holder, amount)) {
        this.waiting.delete(turn);
        this.add(holder, amount);
        begin();
      } else if (!this.waitsForItself(holder, amount)) return;
    }
  }

  private isLeft(holder: string, amount: number): boolean {
    return this.mine(holder) + amount <= this.total - this.held;
  }

  /** Whether it would be too much also where nobody else held anything. */
  private waitsForItself(holder: string, amount: number): boolean {
    return 2 * this.mine(holder) + amount > this.total;
  }

  private mine(holder: string): number {
    return this.heldBy.get(holder) ?? 0;
  }

  private add(holder: string, amount: number): void {
    const mine = this.mine(holder) + amount;
    this.held += amount;
    if (mine === 0) this.heldBy.delete(holder);
    else this.heldBy.set(holder, mine);
  }
}
