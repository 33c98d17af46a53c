import type { Readers } from "../../queries/ports.js";
import { bindQueries, type Queries, type QueryFailure } from "../../queries/queries.js";
import type { Result } from "../shared/result.js";
import { ReaderSet, type OpenedReaders } from "./readerSet.js";

export interface ServedQueriesOptions {
  readonly productName: string;
  readonly consistencyTimeoutMs: number;
}

interface Served {
  readonly readerSet: ReaderSet;
  readonly readers: Readers;
}

/**
 * Questions over the read models that are served at the moment at which they are asked. Going over to another version
 * is one assignment: a question is answered from the readers it began with, which are closed when the last such one is.
 */
export class ServedQueries {
  readonly queries: Queries;
  private served: Served;

  constructor(
    opened: OpenedReaders,
    private readonly options: ServedQueriesOptions,
  ) {
    this.served = this.serve(opened);
    this.queries = bindQueries((query) => this.answer(query));
  }

  get readerSet(): ReaderSet {
    return this.served.readerSet;
  }

  /** Answers with what resolves once no question uses the readers of before any more. */
  goOver(opened: OpenedReaders): Promise<void> {
    const before = this.served.readerSet;
    this.served = this.serve(opened);
    return before.supersede();
  }

  /** Within a readerSet, so that its readers stay open. */
  async within<Value>(use: (readerSet: ReaderSet) => Promise<Value>): Promise<Value> {
    const { readerSet } = this.served;
    readerSet.enter();
    try {
      return await use(readerSet);
    } finally {
      readerSet.leave();
    }
  }

  private serve(opened: OpenedReaders): Served {
    const readerSet = new ReaderSet(opened);
    const { groupClosure: access, ...readers } = readerSet.readers();
    return { readerSet, readers: { ...readers, access, ...this.options } };
  }

  /**
   * A question that waited for a position in a version which stands still by now is asked again of the one that goes
   * on.
   */
  private answer<Value>(ask: (readers: Readers) => Promise<Value>): Promise<Value> {
    const { readerSet, readers } = this.served;
    readerSet.enter();
    return ask(readers).then(
      (value) => {
        readerSet.leave();
        return readerSet.superseded && hasWaitedInVain(value) ? this.answer(ask) : value;
      },
      (error: unknown) => {
        readerSet.leave();
        throw error;
      },
    );
  }
}

function hasWaitedInVain(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("ok" in value)) return false;
  const result = value as Result<unknown, QueryFailure>;
  return !result.ok && result.error.type === "NotYetConsistent";
}
