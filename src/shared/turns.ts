import { orNullAfter } from "./orNullAfter.js";

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
