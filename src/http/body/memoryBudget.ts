/** The memory that one body holds. */
export interface Reservation {
  /** Resolves once there is so much more for it. Never resolves after `release`. */
  grow(bytes: number): Promise<void>;
  /** Gives everything back, also what is still waited for. May be called again. */
  release(): void;
}

interface Holder {
  held: number;
}

interface Growth {
  readonly holder: Holder;
  readonly bytes: number;
  go(): void;
}

/**
 * Bounds the bytes of large bodies that are held at once (ADR 1). A body holds what has come of it, and waits for more
 * where there is no room, in order.
 *
 * Bodies that each wait for what the others hold would wait for ever. So all of them but the largest hold, together, no
 * more than leaves room for the largest to be whole: it can always come to its end, and then another is the largest.
 */
export class MemoryBudget {
  private readonly holders = new Set<Holder>();
  private held = 0;
  private waiting: Growth[] = [];

  /** `largest` is what one body may come to, at most the `total`. */
  constructor(
    private readonly total: number,
    private readonly largest: number,
  ) {}

  reservation(): Reservation {
    const holder: Holder = { held: 0 };
    let isReleased = false;
    return {
      grow: (bytes) =>
        new Promise((resolve) => {
          if (isReleased) return;
          this.waiting.push({ holder, bytes, go: resolve });
          this.admit();
        }),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.holders.delete(holder);
        this.held -= holder.held;
        this.waiting = this.waiting.filter((growth) => growth.holder !== holder);
        this.admit();
      },
    };
  }

  private admit(): void {
    let largestHeld = Math.max(0, ...[...this.holders].map(({ held }) => held));
    const fits = ({ holder, bytes }: Growth): boolean => {
      const held = this.held + bytes;
      const byOthers = held - Math.max(largestHeld, holder.held + bytes);
      return held <= this.total && byOthers <= this.total - this.largest;
    };
    this.waiting = this.waiting.filter((growth) => {
      if (!fits(growth)) return true;
      const { holder, bytes, go } = growth;
      this.holders.add(holder);
      this.held += bytes;
      holder.held += bytes;
      largestHeld = Math.max(largestHeld, holder.held);
      go();
      return false;
    });
  }
}
