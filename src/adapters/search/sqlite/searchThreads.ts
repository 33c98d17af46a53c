import { LRUCache } from "lru-cache";
import { ThreadWatch } from "../../../shared/threadWatch.js";
import type { SearchRequest } from "../../../../queries/ports.js";
import type { SearchPage } from "../../../readModels/search.js";
import { ThreadClient } from "../../threads/threadClient.js";
import type { SearchThreadAnswer, SearchThreadData, SearchThreadQuestion } from "./searchThreadMessages.js";
import { SearchTurns } from "./searchTurns.js";

/** How many people's tokens a thread is known to hold. */
const rememberedKeys = 1_000;

/** One thread, and what it is known to hold. */
class SearchThread {
  questions = 0;
  private readonly sentKeys = new LRUCache<string, true>({ max: rememberedKeys });
  private readonly client: ThreadClient;

  constructor(workerData: SearchThreadData, threads: ThreadWatch) {
    const entry = new URL("./searchThread.js", import.meta.url);
    this.client = new ThreadClient(entry, { name: "search reader", workerData }, threads);
  }

  async search({ held, askedBy: _askedBy, ...request }: SearchRequest): Promise<SearchPage> {
    const question = { ...request, heldKey: held.key };
    if (this.sentKeys.get(held.key) === true) {
      const answer = await this.ask({ ...question, tokens: null });
      if (answer !== "unknownKey") return answer;
    }
    this.sentKeys.set(held.key, true);
    const answer = await this.ask({ ...question, tokens: held.tokens.join(" ") });
    if (answer === "unknownKey") throw new Error("The search thread did not take the tokens that it was sent.");
    return answer;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private ask(question: SearchThreadQuestion): Promise<SearchThreadAnswer> {
    return this.client.call<SearchThreadAnswer>("search", question);
  }
}

/** The threads that answer full-text queries. Each answers one at a time, and people share their time. */
export class SearchThreads {
  private readonly threads: readonly SearchThread[];
  private readonly turns: SearchTurns;

  constructor(count: number, workerData: SearchThreadData, watch: ThreadWatch = new ThreadWatch()) {
    this.threads = Array.from({ length: count }, () => new SearchThread(workerData, watch));
    this.turns = new SearchTurns(count);
  }

  search(request: SearchRequest): Promise<SearchPage> {
    return this.turns.take(request.askedBy ?? request.held.key, async () => {
      const thread = this.threads.reduce((least, other) => (other.questions < least.questions ? other : least));
      thread.questions += 1;
      try {
        return await thread.search(request);
      } finally {
        thread.questions -= 1;
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}
