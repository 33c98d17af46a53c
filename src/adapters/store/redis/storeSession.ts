import { randomBytes } from "node:crypto";
import { EngineUnavailable, type ParkedEvent } from "../../../../projections/ports.js";
import { landmarkUpTo, type Landmark } from "../../../events/landmark.js";
import { toPosition, type Position } from "../../../shared/position.js";
import { changesChannel, keyOf, stateKey } from "../../redis/keys.js";
import { format, product } from "../../redis/openRedis.js";
import type { RedisCommand, RedisConnection, RedisReply } from "../../redis/redisConnection.js";
import type { RedisLeaseGrant } from "../../redis/redisLeaseGrant.js";
import { commitScript, initialisationScript, sweepScript } from "./commitScript.js";
import { keptEntries } from "./journalEntry.js";
import { parkingOf, toParkedEvents } from "./parkedHash.js";
import { formatLandmark, parseReadModelState, readModels, stateField, type ReadModelName } from "./readModelState.js";
import { RowKeys } from "./rowKeys.js";

/** A commit may carry tens of thousands of rows. */
const commitTimeoutMs = 30_000;
const keysPerSweep = 100;
/** The most that stream ids allow, and exact in every number type on the way. */
const nonceBytes = 6;

/** What one commit does besides moving the checkpoint. */
export interface Commit {
  readonly after: Position;
  readonly position: Position;
  readonly parked: readonly ParkedEvent[];
  /** Scopes whose events are parked no longer. */
  readonly restored?: readonly string[];
  /** As of `ProjectionBatch`. */
  readonly landmarks?: readonly Landmark[];
  readonly commands: readonly RedisCommand[];
  /** What readers of the group closure are told; null: nothing. */
  readonly journalEntry: string | null;
}

/**
 * Everything that a process does to the read models while it holds the lease. Every write carries the grant, and every
 * failure counts as the engine's. After the lease is lost nothing more is written.
 */
export class StoreSession {
  private current: RowKeys | null = null;
  private readonly written = new Map<ReadModelName, Position>();
  private isSwept = false;
  private readonly stopChecking: () => void;

  constructor(
    readonly connection: RedisConnection,
    private readonly namespace: string,
    private readonly grant: RedisLeaseGrant,
  ) {
    this.stopChecking = grant.alsoCheck(() => this.stillHoldsWhatWasWritten());
  }

  /** The keys of the present store. */
  async keys(): Promise<RowKeys> {
    this.current ??= (await this.find("groupClosure")).keys;
    return this.current;
  }

  /**
   * How far a read model has come. A Redis that was emptied becomes a new store here, in which everything is at the
   * beginning.
   */
  async checkpoint(projection: ReadModelName): Promise<Position> {
    const { keys, checkpoint } = await this.find(projection);
    this.current = keys;
    return checkpoint;
  }

  async commit(
    projection: ReadModelName,
    { after, position, parked, restored = [], landmarks = [], commands, journalEntry }: Commit,
  ): Promise<"applied" | "checkpointConflict"> {
    const keys = await this.keys();
    const whole = restored.length === 0 ? [] : await this.parkedIn(keys.parked(projection), restored);
    const all = [
      ...commands,
      ...(whole.length === 0 ? [] : [["HDEL", keys.parked(projection), ...whole]]),
      ...(parked.length === 0 ? [] : [parkingOf(keys.parked(projection), parked)]),
    ];
    const nonce = commands.length === 0 ? "" : BigInt(`0x${randomBytes(nonceBytes).toString("hex")}`).toString();
    const values = [
      ...[
        this.grant.value,
        keys.store,
        stateField(projection),
        after.toString(),
        position.toString(),
        nonce,
        changesChannel(this.namespace),
      ],
      ...[journalEntry ?? "", String(keptEntries), formatLandmark(landmarkUpTo(landmarks, position))],
      ...all.flatMap((command) => [String(command.length), ...command]),
    ];
    const touched = new Set(all.map(([, key]) => String(key)));
    const outcome = String(
      await this.asking(() =>
        commitScript.run(
          this.connection,
          [this.grant.key, stateKey(this.namespace), keys.journal, ...touched],
          values,
          commitTimeoutMs,
        ),
      ),
    );
    if (outcome === "fenced") this.refuse();
    if (outcome === "applied") this.written.set(projection, position);
    return outcome as "applied" | "checkpointConflict";
  }

  /** The grant no longer depends on these keys. */
  close(): void {
    this.stopChecking();
  }

  /** Reads rows. */
  read(command: RedisCommand): Promise<RedisReply> {
    return this.asking(() => this.connection.bytes(command, commitTimeoutMs));
  }

  private async find(projection: ReadModelName): Promise<{ readonly keys: RowKeys; readonly checkpoint: Position }> {
    const values = [this.grant.value, product, format, randomBytes(6).toString("hex"), stateField(projection)];
    const reply = await this.asking(() =>
      initialisationScript.run(this.connection, [this.grant.key, stateKey(this.namespace)], values),
    );
    const [outcome, store, state] = (reply as readonly (Buffer | null)[]).map((part) => part && String(part));
    if (outcome === "fenced") this.refuse();
    if (outcome === "foreign")
      throw new EngineUnavailable(`The namespace "${this.namespace}" in Redis belongs to another product by now.`);
    const keys = new RowKeys(this.namespace, store ?? "");
    if (outcome === "created" || !this.isSwept) void this.sweep(keys.store);
    return { keys, checkpoint: parseReadModelState(state ?? null).checkpoint };
  }

  /**
   * Positions of the parked events of these scopes. Only the holder of the lease parks events, so none comes in
   * between.
   */
  private async parkedIn(key: string, scopes: readonly string[]): Promise<readonly string[]> {
    const stored = toParkedEvents((await this.read(["HGETALL", key])) as readonly Buffer[]);
    return stored.filter(({ scope }) => scopes.includes(scope)).map(({ position }) => position.toString());
  }

  private refuse(): never {
    this.grant.lose();
    throw new EngineUnavailable("The lease on the read models is lost: nothing was written.");
  }

  /** In steps, beside everything else. What fails is left for the next session: nothing reads it. */
  private async sweep(store: string): Promise<void> {
    this.isSwept = true;
    const ours = keyOf(this.namespace, "rows", "");
    try {
      let cursor = "0";
      do {
        const [next, found] = await this.connection.text<[string, string[]]>([
          "SCAN",
          cursor,
          "MATCH",
          `${ours}*`,
          "COUNT",
          String(keysPerSweep),
        ]);
        const stale = found.filter((key) => !key.startsWith(`${ours}${store}:`));
        if (stale.length > 0) await sweepScript.run(this.connection, [stateKey(this.namespace), ...stale], [store]);
        cursor = next;
      } while (cursor !== "0");
    } catch {
      this.isSwept = false;
    }
  }

  /** False where Redis forgot commits: it was emptied, or taken back to an earlier state. */
  private async stillHoldsWhatWasWritten(): Promise<boolean> {
    const expected = new Map(this.written);
    const store = this.current?.store;
    const [found, ...states] = await this.connection.text<(string | null)[]>([
      "HMGET",
      stateKey(this.namespace),
      "store",
      ...readModels.map(stateField),
    ]);
    if (store === undefined) return true;
    return (
      found === store &&
      readModels.every(
        (name, place) => parseReadModelState(states[place] ?? null).checkpoint >= (expected.get(name) ?? toPosition(0)),
      )
    );
  }

  private async asking<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask();
    } catch (error) {
      throw new EngineUnavailable(
        `Redis did not do as it was asked: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  }
}
