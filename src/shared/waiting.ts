import { setTimeout as sleep } from "node:timers/promises";

/** Resolves after this many milliseconds, or as soon as the signal aborts. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/**
 * Resolves as `promise` does, or rejects with `late()` after this many milliseconds; a later outcome is ignored. If
 * this process itself stood still, what arrived meanwhile is read before it is called late.
 */
export async function withTimeout<Value>(
  milliseconds: number,
  promise: Promise<Value>,
  late: () => Error,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(late())), milliseconds);
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** The outcome of `awaited`; null where it takes longer than this many milliseconds. A later outcome is ignored. */
export async function orNullAfter<Value>(milliseconds: number, awaited: Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => (timer = setTimeout(resolve, milliseconds, null)));
  try {
    return await Promise.race([awaited, over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The outcome of `waiting`, or a rejection with the signal's reason as soon as it aborts. A later outcome is ignored.
 */
export function orAborted<Value>(waiting: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * The outcomes of all of these. Where some reject, it rejects as the first of them does, but not before all have ended:
 * what is begun next meets none of them.
 */
export async function onceAllEnded<const Outcomes extends readonly Promise<unknown>[]>(
  works: Outcomes,
): Promise<{ -readonly [At in keyof Outcomes]: Awaited<Outcomes[At]> }> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** A function that makes its value when it is first called, and answers with the same from then on. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Lets work on the same thing begin only when what came before it has ended, however it ended. */
export class Turns<Thing> {
  /** When the last that came for a thing has ended, and all before it. */
  private readonly ends = new Map<Thing, Promise<void>>();

  /** What the work comes to, begun as soon as it is its turn. */
  take<Value>(thing: Thing, work: () => Promise<Value>): Promise<Value> {
    return this.inTurn(thing, async (isTurn) => {
      await isTurn;
      return work();
    });
  }

  /** What the work comes to; null where its turn takes longer than this to come: then it is not begun. */
  takeWithin<Value>(thing: Thing, atMostMs: number, work: () => Promise<Value>): Promise<Value | null> {
    return this.inTurn(thing, async (isTurn) => {
      const hasCome = await orNullAfter(
        atMostMs,
        isTurn.then(() => true),
      );
      return hasCome === null ? null : work();
    });
  }

  private async inTurn<Value>(thing: Thing, run: (isTurn: Promise<void>) => Promise<Value>): Promise<Value> {
    const before = this.ends.get(thing) ?? Promise.resolve();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const allEnded = before.then(() => ended);
    this.ends.set(thing, allEnded);
    void allEnded.then(() => this.ends.get(thing) === allEnded && this.ends.delete(thing));
    try {
      return await run(before);
    } finally {
      end();
    }
  }
}

/** Lets so many pieces of work go on at once. */
export class Slots {
  private readonly waiting = new Set<() => void>();

  constructor(private free: number) {}

  /**
   * Begins the work once there is room for it. Rejects with the signal's reason, if one is given, where that aborts
   * before.
   */
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

/** Lets callers wait for the next time that something happens, for a bounded time. */
export class WaitList {
  private readonly waiting = new Set<() => void>();

  /** Resolves when the list is woken, after this long, or on abort: then look for yourself. */
  next(atMostMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, atMostMs);
      this.waiting.add(done);
      signal?.addEventListener("abort", done);
      if (signal?.aborted) done();
    });
  }

  /** Ends the wait of everybody who waits now. */
  wake(): void {
    for (const done of [...this.waiting]) done();
  }
}

/** Does something, and again after each pause, until it is stopped: then what is under way is finished first. */
export function repeatUntilStopped(
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await work(stopping.signal);
      await delay(pauseMs, stopping.signal);
    }
  };
  const ended = run();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
