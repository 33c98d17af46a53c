import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/** Work that is done between two looks at who else wants something. */
const sliceMs = 5;
/** While questions are being answered without a break, a rebuild still gets one part of its time in five. */
const longestRest = 4;
const lookMs = 2;

/**
 * Lets a rebuild give way: after each slice of work it waits for the questions that are being answered in this process, up
 * to a multiple of the slice. With nobody else there it never rests. Other processes have the thread's priority (see
 * {@link standBehind}).
 */
export class Throttle {
  private sliceBegan = performance.now();
  private turn: Promise<void> = Promise.resolve();

  /** `underWay`, element 0: how many questions are being answered in this process. */
  constructor(readonly underWay: Int32Array) {}

  /** To be awaited between small pieces of work; those who ask at once go on one after the other. */
  giveWay(): Promise<void> {
    this.turn = this.turn.then(() => this.restWhereDue());
    return this.turn;
  }

  private async restWhereDue(): Promise<void> {
    const worked = performance.now() - this.sliceBegan;
    if (worked < sliceMs) return;
    const patienceUntil = performance.now() + worked * longestRest;
    while (this.isAsked() && performance.now() < patienceUntil) await delay(lookMs);
    this.sliceBegan = performance.now();
  }

  private isAsked(): boolean {
    return Atomics.load(this.underWay, 0) > 0;
  }
}

/** Half-way to idle: with processors to spare it changes nothing, without them live work goes first. */
const niceness = 10;

/** Where the system knows priorities of threads (Linux), this thread stands behind all others of the process. */
export function standBehind(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, niceness);
  } catch {
    return;
  }
}
