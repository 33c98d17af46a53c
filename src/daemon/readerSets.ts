import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import type { IdentifiedReader } from "./openReader.js";

/** A version of a read model, opened for questions. */
export type Opened<Reader> = IdentifiedReader<Reader> & { readonly version: number };
export type OpenedOf<Readers> = { readonly [Name in keyof Readers]: Opened<Readers[Name]> };

/** One version of each read model, from the first question that uses them to the last. */
export interface ReaderSet<Readers, View> {
  readonly opened: OpenedOf<Readers>;
  /** What all questions go to. */
  readonly readers: Readers;
  readonly view: View;
  /** Aborts once another set is served: this one will reach no further position. */
  readonly superseded: AbortController;
  users: number;
  whenIdle: (() => void) | null;
}

export interface ReaderSetsOptions<Readers, View> {
  readonly logger: Logger;
  /** The readers that questions go to. */
  readersOf(opened: OpenedOf<Readers>): Readers;
  /** What a question is given of a set. A wait that rejects with the signal's reason is begun again in the next set. */
  viewOf(readers: Readers, superseded: AbortSignal): View;
}

/**
 * The set that is served, and those before it for as long as a question uses them. Another reader takes over by one
 * assignment; the one before is closed when the last question that uses it has its answer.
 */
export class ReaderSets<Readers, View> {
  private served: ReaderSet<Readers, View>;
  private closing: Promise<void> = Promise.resolve();

  constructor(
    opened: OpenedOf<Readers>,
    private readonly options: ReaderSetsOptions<Readers, View>,
  ) {
    this.served = this.setOf(opened);
  }

  /** What questions use that begin now. */
  get current(): ReaderSet<Readers, View> {
    return this.served;
  }

  /** Asks a question of one set, which stays open meanwhile; and again where that was superseded during a wait. */
  async use<Answer>(ask: (set: ReaderSet<Readers, View>) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const set = this.served;
      set.users++;
      try {
        return await ask(set);
      } catch (error) {
        const { signal } = set.superseded;
        if (!signal.aborted || error !== signal.reason) throw error;
      } finally {
        if (--set.users === 0) set.whenIdle?.();
      }
    }
  }

  /** Questions use it from here on. What it replaces is closed once nobody uses it, in this set or an earlier one. */
  replace<Name extends keyof Readers>(name: Name, next: Opened<Readers[Name]>): void {
    const before = this.served;
    this.served = this.setOf({ ...before.opened, [name]: next });
    before.superseded.abort(new Error("Another version of a read model is served by now."));
    const isIdle = new Promise<void>((resolve) => (before.users === 0 ? resolve() : (before.whenIdle = resolve)));
    this.closing = Promise.all([this.closing, isIdle])
      .then(() => before.opened[name].close())
      .catch((error: unknown) =>
        this.options.logger.warn(
          { err: error, projection: name },
          "Readers of an earlier version could not be closed.",
        ),
      );
  }

  /** Closes the readers, those that were replaced as soon as nobody uses them. */
  async close(): Promise<void> {
    await this.closing;
    for (const opened of Object.values<Opened<unknown>>(this.served.opened)) await opened.close();
  }

  private setOf(opened: OpenedOf<Readers>): ReaderSet<Readers, View> {
    const superseded = new AbortController();
    // Every question that waits listens to it, and there may be any number.
    setMaxListeners(0, superseded.signal);
    const readers = this.options.readersOf(opened);
    const view = this.options.viewOf(readers, superseded.signal);
    return { opened, readers, view, superseded, users: 0, whenIdle: null };
  }
}
