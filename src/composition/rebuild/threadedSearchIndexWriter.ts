import type { SearchIndexBatch, SearchIndexWriter } from "../../../projections/search/ports.js";
import { ThreadClient } from "../../adapters/threads/threadClient.js";
import { newStoreMark, type Word } from "../../analysis/words.js";
import { EngineUnavailable } from "../../shared/engineUnavailable.js";
import type { DatasourceId } from "../../shared/ids.js";
import { beginning, type Position } from "../../shared/position.js";
import type { SearchIndexThreadData, SentBatch, WriteAnswer } from "./searchIndexThread.js";
import type { Throttle } from "./throttle.js";

/** Batches of a catch-up that may be on their way to the thread: one is written while the next is prepared. */
const mostAhead = 2;

interface Ahead {
  readonly position: Position;
  readonly answer: Promise<WriteAnswer>;
}

/**
 * The writer of the embedded search index in a thread of its own, so that texts are analysed while others are written.
 * In a catch-up it says `applied` of a batch that is still on its way; where one of those comes to nothing, the next
 * write is `checkpointConflict`, and whoever projects goes on from the checkpoint. What was at fault is then delivered
 * again, and answered for before anything else is taken, so that a fault is found where it is.
 */
export class ThreadedSearchIndexWriter implements SearchIndexWriter {
  private thread: ThreadClient | null = null;
  private ahead: Ahead[] = [];
  private answerAtOnceUntil: Position = beginning;
  private sent = newStoreMark();
  /** As of the last batch that was sent; null: unknown, or gone. */
  private readonly searchable = new Map<DatasourceId, ReadonlySet<string> | null>();

  constructor(
    private readonly data: Omit<SearchIndexThreadData, "underWay">,
    private readonly throttle: Throttle,
  ) {}

  async checkpoint(): Promise<Position> {
    await this.settle();
    return this.call<Position>("checkpoint", null);
  }

  async searchableProperties(
    datasources: readonly DatasourceId[],
  ): Promise<ReadonlyMap<DatasourceId, ReadonlySet<string>>> {
    const missing = datasources.filter((id) => !this.searchable.has(id));
    if (missing.length > 0) {
      const found = await this.call<ReadonlyMap<DatasourceId, ReadonlySet<string>>>("searchableProperties", missing);
      for (const id of missing) this.searchable.set(id, found.get(id) ?? null);
    }
    return new Map(
      datasources.flatMap((id) => {
        const names = this.searchable.get(id);
        return names === null || names === undefined ? [] : [[id, names] as const];
      }),
    );
  }

  async write(batch: SearchIndexBatch): Promise<"applied" | "checkpointConflict"> {
    if (!(await this.settle(mostAhead - 1))) return "checkpointConflict";
    const answer = this.send(batch);
    if (batch.moreToCome === true && batch.position > this.answerAtOnceUntil) {
      this.ahead.push({ position: batch.position, answer });
      return "applied";
    }
    const isFine = await this.settle();
    const outcome = await this.throttle.waitingFor(answer);
    if (outcome !== "applied") this.distrust(batch.position);
    if (!isFine || outcome === "checkpointConflict") return "checkpointConflict";
    if (outcome === "applied") return outcome;
    const { message, code, isEngine } = outcome;
    throw isEngine ? new EngineUnavailable(message, { cause: { code } }) : new Error(message);
  }

  /** Once everything that is on its way is written. */
  async close(): Promise<void> {
    await this.settle();
    const { thread } = this;
    this.thread = null;
    await thread?.close();
  }

  /** Waits until no more than these are ahead; false, with none left, where one of them was not applied. */
  private async settle(mayStay = 0): Promise<boolean> {
    while (this.ahead.length > mayStay) {
      const { position, answer } = this.ahead.shift() as Ahead;
      if ((await this.throttle.waitingFor(answer)) === "applied") continue;
      await Promise.all(this.ahead.splice(0).map((later) => later.answer));
      this.distrust(position);
      return false;
    }
    return true;
  }

  /** What was sent may have come to nothing, and what the thread holds may be gone. */
  private distrust(position: Position): void {
    this.sent = newStoreMark();
    this.searchable.clear();
    if (position > this.answerAtOnceUntil) this.answerAtOnceUntil = position;
  }

  private send(batch: SearchIndexBatch): Promise<WriteAnswer> {
    if (batch.datasources.length > 0) this.searchable.clear();
    const words: (readonly string[])[] = [];
    const documents = batch.documents.map((change) => {
      if (change.kind !== "put") return change;
      const { analysed } = change.prepared;
      words.push(this.notYetSent(analysed.words));
      return { ...change, prepared: { ...change.prepared, analysed: { ...analysed, words: [] } } };
    });
    const sent: SentBatch = { batch: { ...batch, documents }, words };
    return this.call<WriteAnswer>("write", sent).catch((error: Error) => ({
      message: error.message,
      code: undefined,
      isEngine: true,
    }));
  }

  private notYetSent(words: readonly Word[]): readonly string[] {
    const texts: string[] = [];
    for (const word of words) {
      if (word.storedIn === this.sent) continue;
      word.storedIn = this.sent;
      texts.push(word.text);
    }
    return texts;
  }

  /**
   * A thread that died, or that cannot say what it was asked, is ended, and another one is started by the next call.
   */
  private async call<Answer>(method: string, payload: unknown): Promise<Answer> {
    const thread = (this.thread ??= new ThreadClient(new URL("./searchIndexThread.js", import.meta.url), {
      name: "search index rebuild",
      workerData: { ...this.data, underWay: this.throttle.underWay } satisfies SearchIndexThreadData,
    }));
    try {
      return await thread.call<Answer>(method, payload);
    } catch (error) {
      if (this.thread === thread) this.thread = null;
      await thread.close().catch(() => undefined);
      throw new EngineUnavailable(`The thread that writes the search index failed: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}
