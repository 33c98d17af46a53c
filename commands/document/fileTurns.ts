import type { StreamName } from "../../src/events/streams.js";

/**
 * Lets files of one document wait for each other, in the order in which they came to this process: reading one takes its
 * time, and the later one has to be decided after the earlier.
 */
export class FileTurns {
  private readonly last = new Map<StreamName, Promise<unknown>>();

  /** Starts `work` when everything that was given for this document before has ended, however it ended. */
  async take<Value>(document: StreamName, work: () => Promise<Value>): Promise<Value> {
    const before = this.last.get(document) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.last.set(document, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(document) === turn) this.last.delete(document);
    }
  }
}
