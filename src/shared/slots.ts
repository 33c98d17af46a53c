/** Lets so many pieces of work go on at once. */
export class Slots {
  private readonly waiting = new Set<() => void>();

  constructor(private free: number) {}

  /** Begins the work once there is room for it. Rejects with the signal's reason, if one is given, where that aborts before. */
  async during<Value>(signal: AbortSignal | null, work: () => Promise<Value>): Promise<Value> {
    await this.take(signal);
    try {
      return await work();
    } finally {
      this.free++;
      this.next();
    }
  }

  private take(signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.delete(begin);
        reject(signal?.reason as Error);
      };
      if (signal?.aborted === true) return leave();
      signal?.addEventListener("abort", leave, { once: true });
      this.waiting.add(begin);
      this.next();
    });
  }

  private next(): void {
    for (const begin of this.waiting) {
      if (this.free === 0) return;
      this.free--;
      this.waiting.delete(begin);
      begin();
    }
  }
}
