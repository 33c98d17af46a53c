import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

export interface ThrottleOptions {
  /** Element 0: how many questions are being answered in this process. */
  readonly underWay: Int32Array;
  /** How long something small of the engine that is served takes now, in milliseconds; left out: it is not asked. */
  probe?(): Promise<unknown>;
}

/** Work that is done between two looks at who else wants something. */
const sliceMs = 5;
/** While questions are being answered without a break, a rebuild still gets one part of its time in five. */
const longestRest = 4;
const lookMs = 2;
/** How often the engine is asked how quick it is; so slow against its usual quickness, it is taken to be busy. */
const probeEveryMs = 500;
const busyFactor = 2;
const busyMs = 3;

/**
 * Lets a rebuild give way. After each slice of work it waits for the questions that are being answered in this process, up
 * to a multiple of the slice; and where the engine, which other processes ask too, has become slow, it rests in proportion
 * to how slow. With nobody else there it never rests.
 */
export class Throttle {
  private sliceBegan = performance.now();
  private turn: Promise<void> = Promise.resolve();
  private readonly quickness: number[] = [];
  private nextProbe = 0;
  private pressure = 0;

  constructor(private readonly options: ThrottleOptions) {}

  /** To be awaited between small pieces of work; those who ask at once go on one after the other. */
  giveWay(): Promise<void> {
    this.turn = this.turn.then(() => this.restWhereDue());
    return this.turn;
  }

  private async restWhereDue(): Promise<void> {
    const worked = performance.now() - this.sliceBegan;
    if (worked < sliceMs) return;
    await this.lookAtEngine();
    const restUntil = performance.now() + worked * this.pressure;
    const patienceUntil = performance.now() + worked * longestRest;
    while (performance.now() < restUntil || (this.isAsked() && performance.now() < patienceUntil)) await delay(lookMs);
    this.sliceBegan = performance.now();
  }

  private isAsked(): boolean {
    return Atomics.load(this.options.underWay, 0) > 0;
  }

  /** The usual quickness is the best tenth of the last minutes: a rebuild that has made everything slow must not get used to it. */
  private async lookAtEngine(): Promise<void> {
    const { probe } = this.options;
    if (probe === undefined || performance.now() < this.nextProbe) return;
    const began = performance.now();
    await probe().catch(() => undefined);
    const took = performance.now() - began;
    this.nextProbe = performance.now() + probeEveryMs;
    this.quickness.push(took);
    if (this.quickness.length > keptProbes) this.quickness.shift();
    const usual = this.quickness.toSorted((a, b) => a - b)[Math.floor(this.quickness.length / 10)] ?? took;
    const isBusy = took > usual * busyFactor + busyMs;
    this.pressure = isBusy ? Math.min(longestRest, this.pressure * 2 + 0.25) : this.pressure < 0.1 ? 0 : this.pressure / 2;
  }
}

const keptProbes = 400;
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
