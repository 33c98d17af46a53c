import { workerData } from "node:worker_threads";
import type { SearchIndexBatch } from "../../../projections/search/ports.js";
import { analyse } from "../../../projections/search/prepareDocuments.js";
import { openSqliteSearchIndexWriter } from "../../adapters/search/sqlite/openSqliteSearchIndexWriter.js";
import { serveThread } from "../../adapters/threads/serveThread.js";
import { Word } from "../../analysis/words.js";
import { createLogger } from "../../logging.js";
import type { DatasourceId } from "../../shared/ids.js";
import { EngineUnavailable } from "../../shared/engineUnavailable.js";
import { lowerThreadPriority, Throttle } from "./throttle.js";

/** What the thread is started with. */
export interface SearchIndexThreadData {
  readonly file: string;
  readonly holdsMs: number;
  readonly logLevel: string;
  /** As for `Throttle`. */
  readonly underWay: Int32Array;
}

/** A batch on its way: a class does not survive it, so words are their texts. */
export interface SentBatch {
  readonly batch: SearchIndexBatch;
  /** Of each document that is put, in their order: its words that were not sent before. */
  readonly words: readonly (readonly string[])[];
}

/** What became of a batch. An error keeps its class only as told here. */
export type WriteAnswer =
  "applied" | "checkpointConflict" | { readonly message: string; readonly code: unknown; readonly isEngine: boolean };

const { file, holdsMs, logLevel, underWay } = workerData as SearchIndexThreadData;
const logger = createLogger({ logLevel, logTo: "stderr" });
const onFailure = (error: unknown): void =>
  logger.error({ err: error }, "Following up a change of a datasource failed; the next write tries again.");
const index = openSqliteSearchIndexWriter({ file, analyse, onFailure, holdsMs });
const throttle = new Throttle(underWay);

let last: Promise<unknown> = Promise.resolve();
const inTurn =
  <Payload, Answer>(answer: (payload: Payload) => Answer | Promise<Answer>) =>
  (payload: Payload): Promise<Answer> => {
    const turn = last.then(() => answer(payload));
    last = turn.catch(() => undefined);
    return turn;
  };

async function write({ batch, words }: SentBatch): Promise<WriteAnswer> {
  throttle.begin();
  let put = 0;
  const documents = batch.documents.map((change) => {
    if (change.kind !== "put") return change;
    const ofDocument = (words[put++] ?? []).map((text) => new Word(text));
    return {
      ...change,
      prepared: { ...change.prepared, analysed: { ...change.prepared.analysed, words: ofDocument } },
    };
  });
  try {
    return await index.write({ ...batch, documents });
  } catch (error) {
    const { message, code, cause } = error as Error & {
      readonly code?: unknown;
      readonly cause?: { readonly code?: unknown };
    };
    return { message, code: code ?? cause?.code, isEngine: error instanceof EngineUnavailable };
  } finally {
    await throttle.yieldIfBusy();
  }
}

lowerThreadPriority();
serveThread({
  checkpoint: inTurn(() => index.checkpoint()),
  searchableProperties: inTurn((datasources: readonly DatasourceId[]) => index.searchableProperties(datasources)),
  write: inTurn(write),
  close: () => inTurn(() => index.close())(null),
});
