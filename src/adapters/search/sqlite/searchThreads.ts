import { LRUCache } from "lru-cache";
import { ThreadWatch } from "../../../shared/restartedWorker.js";
import type { SearchRequest, SuggestRequest } from "../../../../queries/ports.js";
import type { HeldTokens, SearchPage, Suggestion } from "../../../readModels/search.js";
import { ThreadClient } from "../../threads/threadClient.js";
import type { AskedBy, SearchThreadAnswer, SearchThreadData, SearchThreadQuestions } from "./searchThreadMessages.js";
import { SearchTurns } from "./searchTurns.js";

/** How many people's tokens a thread is known to hold. */
const rememberedKeys = 1_000;

type Handler = keyof SearchThreadQuestions;
type Question<Name extends Handler> = Omit<SearchThreadQuestions[Name][0], "heldKey">;
type Answer<Name extends Handler> = SearchThreadQuestions[Name][1];

/** One thread, and what it is known to hold. */
class SearchThread {
  questions = 0;
  private readonly sentKeys = new LRUCache<string, true>({ max: rememberedKeys });
  private readonly client: ThreadClient;

  constructor(workerData: SearchThreadData, threads: ThreadWatch) {
    const entry = new URL("./searchThread.js", import.meta.url);
    this.client = new ThreadClient(entry, { name: "search reader", workerData }, threads);
  }

  /** Sends the tokens where the thread does not know them. */
  async ask<Name extends Handler>(name: Name, held: HeldTokens, question: Question<Name>): Promise<Answer<Name>> {
    const asked = { ...question, heldKey: held.key };
    if (this.sentKeys.get(held.key) === true) {
      const answer = await this.call(name, { ...asked, tokens: null });
      if (answer !== "unknownKey") return answer;
    }
    this.sentKeys.set(held.key, true);
    const answer = await this.call(name, { ...asked, tokens: held.tokens.join(" ") });
    if (answer === "unknownKey") throw new Error("The search thread did not take the tokens that it was sent.");
    return answer;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private call<Name extends Handler>(
    name: Name,
    question: AskedBy<Question<Name>>,
  ): Promise<SearchThreadAnswer<Answer<Name>>> {
    return this.client.call<SearchThreadAnswer<Answer<Name>>>(name, question);
  }
}

/**
 * The threads that answer full-text queries. Each answers one at a time, and people share their time. They start in the
 * next turn of the event loop: a reader that finds its file new is closed at once, and opened again.
 */
export class SearchThreads {
  private readonly turns: SearchTurns;
  private readonly starting = setImmediate(() => this.started());
  private threads: readonly SearchThread[] | null = null;

  constructor(
    private readonly count: number,
    private readonly workerData: SearchThreadData,
    private readonly watch: ThreadWatch = new ThreadWatch(),
  ) {
    this.turns = new SearchTurns(count);
  }

  search({ held, askedBy, ...question }: SearchRequest): Promise<SearchPage> {
    return this.inTurn(askedBy ?? held.key, (thread) => thread.ask("search", held, question));
  }

  suggest({ held, askedBy, ...question }: SuggestRequest): Promise<readonly Suggestion[]> {
    return this.inTurn(askedBy ?? held.key, (thread) => thread.ask("suggest", held, question));
  }

  private inTurn<Answered>(person: string, ask: (thread: SearchThread) => Promise<Answered>): Promise<Answered> {
    return this.turns.take(person, async () => {
      const thread = this.started().reduce((least, other) => (other.questions < least.questions ? other : least));
      thread.questions += 1;
      try {
        return await ask(thread);
      } finally {
        thread.questions -= 1;
      }
    });
  }

  async close(): Promise<void> {
    clearImmediate(this.starting);
    this.threads ??= [];
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private started(): readonly SearchThread[] {
    return (this.threads ??= Array.from({ length: this.count }, () => new SearchThread(this.workerData, this.watch)));
  }
}
