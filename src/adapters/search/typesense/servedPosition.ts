import { ReadModelUnavailable } from "../../../shared/failures.js";
import { beginning, laterOf, type Position } from "../../../shared/position.js";
import { Announcements } from "../../threads/announcements.js";
import { type Collections, isMissing } from "./collections.js";
import { type EngineAnswer, type EngineSearch, toReaderFailure, type TypesenseConnection } from "./connection.js";
import { type CheckpointState, type CollectionNames, schemaVersion } from "./schema.js";
import { checkpointSearch, keyOfState, positionOf, readCheckpoint } from "./stateCollection.js";

/**
 * How often the engine is asked for its position while someone waits for it: other processes write without announcing
 * it.
 */
const pollMs = 100;
/** How long a node of a cluster may be behind what another one has shown. */
const lagMs = 1_000;

/** Answers, with the state under which they were given. */
interface StatedAnswers<Row> {
  readonly answers: readonly EngineAnswer<Row>[];
  readonly state: CheckpointState;
}

interface Waiting {
  readonly position: Position;
  readonly done: () => void;
}

/**
 * Knows how far the collection has come, and sees to it that no answer falls behind that. A search is asked together
 * with the checkpoint. If a node's answer is behind a position that was told once, it is asked again.
 */
export class ServedPosition {
  private readonly announcements: Announcements;
  private promised: Position = beginning;
  private seenState: string | null = null;
  private isServed = false;
  private readonly waiting = new Set<Waiting>();
  private polling: Promise<void> | null = null;
  private isClosed = false;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collections: Collections,
  ) {
    this.announcements = announcementsOf(collections.names);
  }

  /** The key of the state that an answer has shown last; null before the first one. */
  get seen(): string | null {
    return this.seenState;
  }

  /** Runs searches, and tells under which state they were answered. */
  async ask<Row>(searches: readonly EngineSearch[]): Promise<StatedAnswers<Row>> {
    await this.assertServed();
    const end = performance.now() + lagMs;
    for (;;) {
      const promised = this.promised;
      const answers = await this.connection.search<Row>([...searches, checkpointSearch(this.collections.names.state)]);
      const state = readCheckpoint(answers.at(-1));
      if (positionOf(state) >= promised) {
        this.seenState = keyOfState(state);
        return { answers: answers.slice(0, -1), state };
      }
      if (performance.now() >= end)
        throw new ReadModelUnavailable(
          "The search index is behind what it has already served; it is being filled again.",
        );
      await this.announcements.next(pollMs);
    }
  }

  /** The engine's present position. From here on no answer is behind it. */
  async position(): Promise<Position> {
    const { state } = await this.ask([]);
    return (this.promised = laterOf(this.promised, positionOf(state)));
  }

  /** True once the position is reached. False where that takes longer, also with an engine that is down. */
  reached(position: Position, timeoutMs: number): Promise<boolean> {
    if (this.promised >= position) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = performance.now() + timeoutMs;
      let isAsked = false;
      const waiting: Waiting = {
        position,
        done: () => {
          isAsked = true;
          if (this.promised < position && performance.now() < end && !this.isClosed) return;
          clearTimeout(timer);
          this.waiting.delete(waiting);
          resolve(this.promised >= position);
        },
      };
      // The first look is waited for even where no time is given.
      const timer = setTimeout(() => isAsked && waiting.done(), timeoutMs);
      this.waiting.add(waiting);
      this.polling ??= this.poll();
    });
  }

  close(): void {
    this.isClosed = true;
    this.announcements.close();
    for (const { done } of this.waiting) done();
  }

  private async poll(): Promise<void> {
    while (this.waiting.size > 0 && !this.isClosed) {
      const looking = [...this.waiting];
      await this.position().catch(() => undefined);
      for (const { done } of looking) done();
      if (this.waiting.size > 0) await this.announcements.next(pollMs);
    }
    this.polling = null;
  }

  /**
   * Before this version is served for the first time, another one may be, or none. Then there is nothing to answer
   * with.
   */
  private async assertServed(): Promise<void> {
    if (this.isServed) return;
    if ((await this.collections.servedVersion()) !== schemaVersion)
      throw new ReadModelUnavailable("The search index is being built.", 5);
    this.isServed = true;
  }
}

/** Turns failures of the engine, and a lost collection, into what a reader's method promises to throw. */
export async function answering<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (error) {
    if (isMissing(error)) throw new ReadModelUnavailable("The search index has been lost and is being built again.", 5);
    throw toReaderFailure(error);
  }
}

/**
 * Announces what is written to these collections within this process. Other processes' writes are found out by asking.
 */
export const announcementsOf = ({ state }: CollectionNames): Announcements => new Announcements(`typesense:${state}`);
