import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/** Work that is done between two looks at who else wants something. */
const sliceMs = 5;
/** While questions are being answered without a break, a rebuild still gets one part of its time in five. */
const longestRest = 4;
const lookMs = 2;
/** However long the work was before it: whoever wants it to stop need not wait for longer. */
const longestRestMs = 1_000;

/** Where the memory that threads share says how many questions are being answered in this process. */
const askedHere = 0;
/**
 * Where it says how long to rest for people whom other processes answer (`pace.ts`): in hundredths of the work before.
 */
export const restElsewhere = 1;

/** Memory that all threads of a process share: what a {@link Throttle} looks at. */
export const newThrottleSignal = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

const goOn = Promise.resolve();

/** Both in milliseconds. */
interface ThrottleClock {
  now(): number;
  wait(ms: number): Promise<void>;
}

/**
 * Lets a rebuild give way: after each slice of work it waits for the questions that are being answered in this process,
 * up to a multiple of the slice, and for as long as people are to be given whom other processes answer. With nobody
 * else there it never rests. What goes on beside it on the machine has the thread's priority (see {@link
 * lowerThreadPriority}).
 */
export class Throttle {
  private sliceBegan: number;
  private turn: Promise<void> = goOn;
  private isResting = false;

  /** `underWay`: of {@link newThrottleSignal}. */
  constructor(
    readonly underWay: Int32Array,
    private readonly clock: ThrottleClock = { now: () => performance.now(), wait: (ms) => delay(ms) },
  ) {
    this.sliceBegan = clock.now();
  }

  /** To be awaited between small chunks of work; those who ask at once go on one after the other. */
  yieldIfBusy(): Promise<void> {
    // Most chunks are far smaller than a slice: they cost no promise.
    if (!this.isResting && this.clock.now() - this.sliceBegan < sliceMs) return goOn;
    this.isResting = true;
    this.turn = this.turn.then(() => this.restWhereDue());
    return this.turn;
  }

  /** Waits for another thread, which rests for itself: what this one waits for is no work of its own to rest from. */
  async waitingFor<Value>(promise: Promise<Value>): Promise<Value> {
    const began = this.clock.now();
    try {
      return await promise;
    } finally {
      this.sliceBegan += this.clock.now() - began;
    }
  }

  /** Work begins now: before, there was nothing to do. */
  begin(): void {
    this.sliceBegan = this.clock.now();
  }

  private async restWhereDue(): Promise<void> {
    const began = this.clock.now();
    const worked = began - this.sliceBegan;
    if (worked < sliceMs) return void (this.isResting = false);
    const patienceUntil = began + Math.min(longestRestMs, worked * longestRest);
    while (this.isAsked() && this.clock.now() < patienceUntil) await this.clock.wait(lookMs);
    const restUntil = began + Math.min(longestRestMs, (worked * Atomics.load(this.underWay, restElsewhere)) / 100);
    if (this.clock.now() < restUntil) await this.clock.wait(restUntil - this.clock.now());
    this.sliceBegan = this.clock.now();
    this.isResting = false;
  }

  private isAsked(): boolean {
    return Atomics.load(this.underWay, askedHere) > 0;
  }
}

/** Half-way to idle: with processors to spare it changes nothing, without them live work goes first. */
const niceness = 10;

/** Where the system knows priorities of threads (Linux), this thread stands behind all others of the process. */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, niceness);
  } catch {
    return;
  }
}
