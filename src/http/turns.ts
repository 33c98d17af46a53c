import { orNullAfter } from "../shared/orNullAfter.js";

/** Lets work on the same thing begin only when what came before it has ended. */
export class Turns<Thing> {
  /** When the last that came for a thing has ended, and all before it. */
  private readonly ends = new Map<Thing, Promise<void>>();

  /** What the work comes to; null where its turn takes longer than this to come: then it is not begun. */
  async take<Value>(thing: Thing, atMostMs: number, work: () => Promise<Value>): Promise<Value | null> {
    const before = this.ends.get(thing) ?? Promise.resolve();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const allEnded = before.then(() => ended);
    this.ends.set(thing, allEnded);
    void allEnded.then(() => this.ends.get(thing) === allEnded && this.ends.delete(thing));
    try {
      const isTurn = await orNullAfter(
        atMostMs,
        before.then(() => true),
      );
      return isTurn === null ? null : await work();
    } finally {
      end();
    }
  }
}
