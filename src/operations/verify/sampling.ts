import { hash } from "node:crypto";

/** Says which subjects are looked at: everything, or a part that the same seed chooses again. */
export interface Sample {
  /** 0 to 1: how large a part. */
  readonly part: number;
  readonly seed: string;
}

const hexDigits = 12;
const places = 16 ** hexDigits;

/** A subject's place between 0 and 1, evenly spread: below `part`, it is in the sample. */
export const placeInSample = (seed: string, key: string): number =>
  Number.parseInt(hash("sha1", `${seed} ${key}`).slice(0, hexDigits), 16) / places;

/**
 * What one reading of the log may hold: the subjects whose place is in a range. Where they become too many, the range
 * is halved and the others are let go, for a further reading.
 */
export class LogShare<Value> {
  readonly values = new Map<string, Value>();
  private size = 0;

  constructor(
    private readonly seed: string,
    readonly from: number,
    public to: number,
    private readonly maxSize: number,
    private readonly sizeOf: (value: Value) => number = () => 1,
  ) {}

  covers(key: string): boolean {
    const place = placeInSample(this.seed, key);
    return place >= this.from && place < this.to;
  }

  /** To be called with the difference whenever something was added or has grown. */
  add(size: number): void {
    this.size += size;
    while (this.size > this.maxSize && this.values.size > 1) this.halve();
  }

  private halve(): void {
    this.to = this.from + (this.to - this.from) / 2;
    this.size = 0;
    for (const [key, value] of this.values) {
      if (this.covers(key)) this.size += this.sizeOf(value);
      else this.values.delete(key);
    }
  }
}

/** Reads share after share, from 0 to the sample's part; how far each goes is known once it was gathered. */
export async function* inShares<
  Share extends { readonly to: number; readonly values: ReadonlyMap<string, unknown> },
  Subject,
>(
  part: number,
  gather: (from: number) => Promise<Share>,
  subjectsOf: (share: Share) => AsyncIterable<readonly Subject[]>,
): AsyncGenerator<SubjectBatch<Subject>> {
  for (let from = 0; from < part;) {
    const share = await gather(from);
    const { to } = share;
    const held = Math.max(1, share.values.size);
    let read = 0;
    for await (const subjects of subjectsOf(share)) {
      read += subjects.length;
      yield { subjects, done: Math.min(to, from + (to - from) * (read / held)) / part };
    }
    from = to;
  }
}

/** Some subjects, and which part of all of its kind lies behind with them: 0 to 1. */
export interface SubjectBatch<Subject> {
  readonly subjects: readonly Subject[];
  readonly done: number;
}
