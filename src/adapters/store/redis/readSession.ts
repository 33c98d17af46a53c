import type { ParkedEvent } from "../../../../projections/ports.js";
import type { Checkpointed } from "../../../../queries/ports.js";
import type { Position } from "../../../shared/position.js";
import { ReadModelUnavailable } from "../../../shared/failures.js";
import { WaitList } from "../../../shared/waiting.js";
import {
  changesChannel,
  stateKey,
  type RedisCommand,
  type RedisConnection,
  type RedisReply,
} from "../../redis/redisConnection.js";
import { toParkedEvents } from "./readModelState.js";
import { RowKeys, type ServedReadModelName } from "./rowKeys.js";
import { ServedState, stateCommand, type Question, type State } from "./servedState.js";

/** Rows, and the state of the moment at which they were read. */
export interface Snapshot {
  readonly state: State;
  readonly replies: readonly RedisReply[];
}

const pollMs = 250;

/**
 * Reads from Redis for the readers of one process. A question begins with {@link state}: one small round trip. It is
 * shared by all who ask in the same turn of the event loop before it is sent, and by whatever they ask next without
 * waiting for anything else. So a question sees every commit that was acknowledged before its request came in, from any
 * process.
 */
export class ReadSession {
  readonly served: ServedState;
  private readonly waiting = new WaitList();
  private readonly command: readonly string[];
  /** The state that was asked for by a request that is not sent yet. */
  private unsent: Promise<State> | null = null;
  /** Arrived in this run of microtasks. A question asked now comes from one that waited for this state. */
  private fresh: State | null = null;
  private waking: NodeJS.Immediate | null = null;
  private isClosed = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly namespace: string,
    logHead: () => Promise<Position>,
  ) {
    this.served = new ServedState(connection, logHead);
    this.command = stateCommand(namespace);
  }

  /** Begins to listen for commits. */
  async listen(): Promise<void> {
    await this.connection.listen(changesChannel(this.namespace), () => this.wakeSoon());
  }

  /** The present state of this read model. Throws `ReadModelUnavailable`. */
  state(name: ServedReadModelName): State | Promise<State> {
    const { fresh } = this;
    if (fresh !== null && this.served.isServable(fresh, name)) return fresh;
    return this.servable(name);
  }

  /** Reads rows, all of one moment. `commands` is called with the keys of the store that the last state named. */
  async snapshot(store: string, commands: (keys: RowKeys) => readonly RedisCommand[]): Promise<Snapshot> {
    return this.answering(async () => {
      while (!this.served.hasMetServer) await this.served.meetServer();
      const question = this.served.ask();
      const [raw, ...replies] = await this.connection.together([
        this.command,
        ...commands(new RowKeys(this.namespace, store)),
      ]);
      const texts = (raw as readonly (Buffer | null)[]).map((text) => text && text.toString("latin1"));
      return { state: this.arrived(texts, question), replies };
    });
  }

  /** The events that this projection could not apply, in the present store. */
  parked(projection: string): Promise<readonly ParkedEvent[]> {
    return this.answering(async () => {
      const [store] = await this.connection.text<(string | null)[]>(["HMGET", stateKey(this.namespace), "store"]);
      if (store === null || store === undefined) return [];
      return toParkedEvents(
        (await this.connection.bytes([
          "HGETALL",
          new RowKeys(this.namespace, store).parked(projection),
        ])) as readonly Buffer[],
      );
    });
  }

  progressOf(name: ServedReadModelName): Checkpointed {
    return {
      position: async () => (await this.state(name))[name].checkpoint,
      reached: (position, timeoutMs) =>
        this.until(async () => (await this.state(name))[name].checkpoint >= position, timeoutMs),
    };
  }

  close(): void {
    this.isClosed = true;
    this.waiting.wake();
    this.connection.close();
  }

  private async servable(name: ServedReadModelName): Promise<State> {
    const state = await (this.unsent ?? this.ask());
    if (!this.served.isServable(state, name)) await this.served.assertServable(state, name);
    return state;
  }

  private ask(): Promise<State> {
    const asked = this.answering(() => this.read());
    this.unsent = asked;
    // The client writes in the same phase of the event loop, after this. What is asked later needs a question of its
    // own.
    setImmediate(() => {
      if (this.unsent === asked) this.unsent = null;
    });
    return asked;
  }

  private async read(): Promise<State> {
    while (!this.served.hasMetServer) await this.served.meetServer();
    const question = this.served.ask();
    const raw = await this.connection.text<readonly (string | null)[]>(this.command);
    return this.arrived(raw, question);
  }

  private arrived(raw: readonly (string | null)[], question: Question): State {
    const state = this.served.observe(raw, question);
    if (!this.served.isLatest(state)) return state;
    this.fresh = state;
    // After all microtasks, before the next event.
    process.nextTick(() => (this.fresh = null));
    return state;
  }

  private async answering<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ReadModelUnavailable) throw error;
      throw new ReadModelUnavailable(`Redis at ${this.connection.address} does not answer.`, 1, { cause: error });
    }
  }

  private async until(condition: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const holds = await condition().catch((error: unknown) => {
        if (error instanceof ReadModelUnavailable) return false;
        throw error;
      });
      if (holds) return true;
      const left = deadline - performance.now();
      if (left <= 0 || this.isClosed) return false;
      await this.waiting.next(Math.min(left, pollMs));
    }
  }

  /** In a turn of their own: a state that was asked for before this message does not know of its commit. */
  private wakeSoon(): void {
    this.waking ??= setImmediate(() => {
      this.waking = null;
      this.unsent = null;
      this.waiting.wake();
    });
  }
}
