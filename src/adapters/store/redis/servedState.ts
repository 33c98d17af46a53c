import { laterOf, type Position } from "../../../shared/position.js";
import { ReadModelUnavailable } from "../../../shared/failures.js";
import { stateKey, type RedisConnection } from "../../redis/redisConnection.js";
import { isReplica, serverInfo } from "../../redis/openRedis.js";
import { withTimeout } from "../../../shared/waiting.js";
import { countOf, parseReadModelState, type ReadModelState } from "./readModelState.js";
import { servedReadModelNames, stateField, type ServedReadModelName } from "./rowKeys.js";

/** How far everything has come at one moment. Equal states are the same object. */
export interface State extends Readonly<Record<ServedReadModelName, ReadModelState>> {
  /** Empty where there is none. */
  readonly store: string;
  /** Grows where what was read before may be of something else: then everything remembered of it is void. */
  readonly cacheEpoch: number;
}

/** The command whose answer {@link ServedState.observe} takes. */
export const stateCommand = (namespace: string): readonly string[] => [
  "HMGET",
  stateKey(namespace),
  "store",
  ...servedReadModelNames.map(stateField),
];

/** When the state was asked for. */
export interface Question {
  readonly number: number;
  readonly cacheEpoch: number;
}

type Raw = readonly (string | null)[];

const logHeadTimeoutMs = 5_000;

/**
 * Judges what Redis says of itself. A store that is gone or another one, checkpoints or versions that went back,
 * another server run: each may mean that commits which were served are lost, and is treated as that. From then on
 * nothing is answered until the read model has reached what the log holds at that moment.
 */
export class ServedState {
  private raw: Raw = [];
  private last: State | null = null;
  private lastAsked = 0;
  private cacheEpoch = 0;
  private asked = 0;
  private floor: Position | null = null;
  private floorRequest: Promise<Position> | null = null;
  private serverRun: string | undefined;
  private connectionNumber = 0;

  constructor(
    private readonly connection: RedisConnection,
    private readonly logHead: () => Promise<Position>,
  ) {}

  /** To be called when the state command is given: its answer may be taken after that of a later one. */
  ask(): Question {
    return { number: ++this.asked, cacheEpoch: this.cacheEpoch };
  }

  /** Takes the answer to the state command. */
  observe(raw: Raw, { number, cacheEpoch }: Question): State {
    if (this.last !== null && raw.every((text, place) => text === this.raw[place])) return this.last;
    const [store, ...rest] = raw;
    const states = rest.map((text) => parseReadModelState(text ?? null));
    const read = Object.fromEntries(servedReadModelNames.map((name, place) => [name, states[place]])) as Record<
      ServedReadModelName,
      ReadModelState
    >;
    if (number < this.lastAsked) return { store: store ?? "", cacheEpoch, ...read };
    if (this.last !== null && isBehind(this.last, store ?? "", read)) this.forget();
    const state: State = { store: store ?? "", cacheEpoch: this.cacheEpoch, ...read };
    this.raw = raw;
    this.last = state;
    this.lastAsked = number;
    return state;
  }

  /** False where a later question was answered before. */
  isLatest(state: State): boolean {
    return state === this.last;
  }

  /** Throws `ReadModelUnavailable` where this read model may not be answered from as of this state. */
  async assertServable(state: State, name: ServedReadModelName): Promise<void> {
    const floor = this.floor ?? (await this.requestFloor());
    if (state.cacheEpoch !== this.cacheEpoch || state[name].checkpoint < floor) {
      throw new ReadModelUnavailable(
        `Redis holds the ${name} up to ${state[name].checkpoint} only; it is being filled up to ${floor}.`,
      );
    }
  }

  /** True where {@link assertServable} would answer at once and without an error. */
  isServable(state: State, name: ServedReadModelName): boolean {
    return this.floor !== null && state.cacheEpoch === this.cacheEpoch && state[name].checkpoint >= this.floor;
  }

  /** To be awaited before a question if the connection is not the one of the last time. */
  async meetServer(): Promise<void> {
    const { connectionNumber } = this.connection;
    const info = await serverInfo(this.connection);
    if (isReplica(info)) {
      this.connection.lookAgain();
      throw new ReadModelUnavailable(`Redis at ${this.connection.address} is a replica, which may be behind.`);
    }
    const run = info.get("run_id") ?? String(connectionNumber);
    if (this.serverRun !== undefined && run !== this.serverRun) this.forget();
    this.serverRun = run;
    this.connectionNumber = connectionNumber;
  }

  get hasMetServer(): boolean {
    return this.connection.connectionNumber === this.connectionNumber;
  }

  private forget(): void {
    this.cacheEpoch++;
    this.last = null;
    this.floor = null;
    this.floorRequest = null;
  }

  private requestFloor(): Promise<Position> {
    const { cacheEpoch } = this;
    const request = (this.floorRequest ??= withTimeout(
      logHeadTimeoutMs,
      this.logHead(),
      () => new Error(`The log's end was not known within ${logHeadTimeoutMs} ms.`),
    ));
    return request.then(
      (head) => {
        if (cacheEpoch === this.cacheEpoch) this.floor = head;
        return head;
      },
      (error: unknown) => {
        if (request === this.floorRequest) this.floorRequest = null;
        throw new ReadModelUnavailable("What Redis must hold to be served cannot be told without the log.", 1, {
          cause: error,
        });
      },
    );
  }
}

function isBehind(before: State, store: string, after: Readonly<Record<ServedReadModelName, ReadModelState>>): boolean {
  if (before.store === "") return false;
  return store !== before.store || servedReadModelNames.some((name) => wentBack(before[name], after[name]));
}

const wentBack = (before: ReadModelState, after: ReadModelState): boolean =>
  laterOf(before.checkpoint, after.checkpoint) !== after.checkpoint || countOf(after.version) < countOf(before.version);
