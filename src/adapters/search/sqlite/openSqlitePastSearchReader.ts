import type { PastSearchReader, SearchAmong } from "../../../audit/ports/pastSearch.js";
import type { SearchPage } from "../../../readModels/search.js";
import { ThreadWatch } from "../../../shared/restartedWorker.js";
import { ThreadClient } from "../../threads/threadClient.js";
import { usualBudget, type SearchBudgetOptions } from "./searchBudget.js";
import type { SearchThreadData } from "./searchThreadMessages.js";

/** For words that were asked for lately. It is small, because auditors ask less than everybody else. */
const cacheBytes = 32 * 1024 * 1024;

/**
 * Reads the search index for questions about the past, in a thread of its own, so that a long one holds up nobody's
 * search. The first question starts the thread.
 */
export function openSqlitePastSearchReader({
  file,
  budget = usualBudget,
  threads = new ThreadWatch(),
}: {
  readonly file: string;
  /** What a search may cost; the usual where left out. */
  readonly budget?: SearchBudgetOptions;
  /** Called where the thread ends, and when it is back. */
  readonly threads?: ThreadWatch;
}): PastSearchReader & { close(): Promise<void> } {
  let thread: ThreadClient | null = null;
  const workerData: SearchThreadData = { file, cacheBytes, ...budget };
  const close = async (): Promise<void> => {
    const closing = thread;
    thread = null;
    await closing?.close();
  };
  return {
    searchAmong: async ({ among, ...question }: SearchAmong): Promise<SearchPage> => {
      thread ??= new ThreadClient(
        new URL("./pastSearchThread.js", import.meta.url),
        { name: "past search", workerData },
        threads,
      );
      const named = among.map(({ datasourceId, documentIds }) => ({
        datasourceId,
        documentIds: JSON.stringify(documentIds),
      }));
      try {
        return await thread.call<SearchPage>("searchAmong", { ...question, among: named });
      } catch (error) {
        // A thread that failed is not trusted with the next question. Ending a dead one fails.
        await close().catch(() => undefined);
        throw error;
      }
    },
    close,
  };
}
