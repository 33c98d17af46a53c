import { still } from "../../../audit/intervalSet.js";

/** When something was so: `[opened, closed]`, in order; `still` where it has not ended. */
export type Spans = readonly (readonly [opened: number, closed: number])[];

/** In words, such as `from 4 to 10, from 12 on`. */
export const inWords = (spans: Spans): string =>
  spans.map(([opened, closed]) => (closed === still ? `from ${opened} on` : `from ${opened} to ${closed}`)).join(", ");

/** What is so of one thing, aspect by aspect, as events tell of it. */
export class FoldedAspects {
  private readonly aspects = new Map<string, [opened: number, closed: number][]>();
  /** Intervals so far. */
  weight = 0;

  open(aspect: string, position: number): void {
    if (this.isOpen(aspect)) return;
    const spans = this.aspects.get(aspect);
    if (spans === undefined) this.aspects.set(aspect, [[position, still]]);
    else spans.push([position, still]);
    this.weight++;
  }

  close(aspect: string, position: number): void {
    const last = this.aspects.get(aspect)?.at(-1);
    if (last !== undefined && last[1] === still) last[1] = position;
  }

  isOpen(aspect: string): boolean {
    return this.aspects.get(aspect)?.at(-1)?.[1] === still;
  }

  names(): Iterable<string> {
    return this.aspects.keys();
  }

  /** Each aspect with when it was so, in words. */
  answer(): ReadonlyMap<string, string> {
    return new Map(Array.from(this.aspects, ([aspect, spans]) => [aspect, inWords(spans)]));
  }
}
