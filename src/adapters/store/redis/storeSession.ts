import { projectionNames, stateField, type StoredProjectionName, RowKeys } from "./rowKeys.js";
import { randomBytes } from "node:crypto";
import { EngineUnavailable, type ParkedEvent } from "../../../../projections/ports.js";
import { landmarkUpTo, type Landmark } from "../../../events/eventSource.js";
import { toPosition, type Position } from "../../../shared/position.js";
import {
  changesChannel,
  keyOf,
  stateKey,
  type RedisCommand,
  type RedisConnection,
  type RedisReply,
  LuaScript,
} from "../../redis/redisConnection.js";
import { format, product } from "../../redis/openRedis.js";
import type { RedisLeaseGrant } from "../../redis/redisLease.js";
import { keptEntries } from "./journalEntry.js";
import { parkingOf, toParkedEvents, formatLandmark, parseReadModelState } from "./readModelState.js";

/** A commit may carry tens of thousands of rows. */
const commitTimeoutMs = 30_000;

const keysPerSweep = 100;
/** The most that stream ids allow, and exact in every number type on the way. */
const nonceBytes = 6;

/** What one commit does besides moving the checkpoint. */
interface Commit {
  readonly after: Position;
  readonly position: Position;
  readonly parked: readonly ParkedEvent[];
  /** Scopes whose events are parked no longer. */
  readonly restored?: readonly string[];
  /** The landmarks of `ProjectionBatch`. */
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
  private readonly written = new Map<StoredProjectionName, Position>();
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
  async checkpoint(projection: StoredProjectionName): Promise<Position> {
    const { keys, checkpoint } = await this.find(projection);
    this.current = keys;
    return checkpoint;
  }

  async commit(
    projection: StoredProjectionName,
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

  private async find(
    projection: StoredProjectionName,
  ): Promise<{ readonly keys: RowKeys; readonly checkpoint: Position }> {
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
      ...projectionNames.map(stateField),
    ]);
    if (store === undefined) return true;
    return (
      found === store &&
      projectionNames.every(
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

/**
 * One commit of a projection. It is refused where the lease is somebody else's. It is a `checkpointConflict` where the
 * store or the checkpoint is not the one that the commit follows. Otherwise checkpoint, effect, journal and
 * announcement are one step. So a commit that is sent twice, because its answer was lost, counts once.
 *
 * Keys: lease, state, journal, then those of the commands. Values: lease value, store, projection, checkpoint that it
 * follows, new checkpoint, nonce (empty: nothing changes), channel, journal entry (empty: none), entries to keep,
 * landmark (empty: it stays), then the commands, each as the number of its words and the words. The first write is the
 * state's: a server that is out of memory refuses it before anything is half done. Some words are ours: FORGET (the
 * tokens that these groups had), ADD (at the end of an order, unless it is there), REVOKE (what is there, once), ROTATE
 * (the secret of what is there, unless it is that already), LATEST (of two instants), DROP (a session, with the fields
 * that it has elsewhere) and SWEEP (those whose score is as low).
 */
const commitScript = new LuaScript(`
  local call = redis.call
  local ours = {}
  ours.FORGET = function(from, to)
    for at = from + 2, to do
      local row = call('HGET', ARGV[from], ARGV[at])
      local token = row and string.sub(row, 1, 11)
      if token and call('HGET', ARGV[from + 1], token) == ARGV[at] then call('HDEL', ARGV[from + 1], token) end
    end
  end
  ours.ADD = function(from)
    if call('HSETNX', ARGV[from], ARGV[from + 2], ARGV[from + 3]) == 1 then call('RPUSH', ARGV[from + 1], ARGV[from + 2]) end
  end
  ours.REVOKE = function(from)
    if call('HEXISTS', ARGV[from], ARGV[from + 2]) == 1 then call('HSETNX', ARGV[from + 1], ARGV[from + 2], ARGV[from + 3]) end
  end
  ours.ROTATE = function(from)
    local begun = call('HGET', ARGV[from], ARGV[from + 2])
    if not begun then return end
    local known = cjson.decode(call('HGET', ARGV[from + 1], ARGV[from + 2]) or begun).secretSha256
    if known == ARGV[from + 3] then return end
    local previous = { sha256 = known, endsAt = ARGV[from + 4] }
    call('HSET', ARGV[from + 1], ARGV[from + 2], cjson.encode({ secretSha256 = ARGV[from + 3], previousSecret = previous }))
  end
  ours.LATEST = function(from)
    local known = call('HGET', ARGV[from], ARGV[from + 1])
    if not known or known < ARGV[from + 2] then call('HSET', ARGV[from], ARGV[from + 1], ARGV[from + 2]) end
  end
  local function drop(from, to, id)
    call('ZREM', ARGV[from], id)
    call('HDEL', ARGV[from + 1], id)
    call('LREM', ARGV[from + 2], 1, id)
    for at = from + 5, to do call('HDEL', ARGV[from + 3], ARGV[at] .. ' ' .. id) end
  end
  ours.DROP = function(from, to) drop(from, to, ARGV[from + 4]) end
  ours.SWEEP = function(from, to)
    for _, id in ipairs(call('ZRANGEBYSCORE', ARGV[from], '-inf', ARGV[from + 4])) do drop(from, to, id) end
  end

  if call('GET', KEYS[1]) ~= ARGV[1] then return 'fenced' end
  local state = call('HMGET', KEYS[2], 'store', ARGV[3])
  local checkpoint, version = string.match(state[2] or '0/0-0', '^(%d+)/(.+)$')
  if state[1] ~= ARGV[2] or checkpoint ~= ARGV[4] then return 'checkpointConflict' end

  if ARGV[6] ~= '' then version = string.format('%.0f', tonumber(string.match(version, '^%d+')) + 1) .. '-' .. ARGV[6] end
  call('HSET', KEYS[2], ARGV[3], ARGV[5] .. '/' .. version)
  if ARGV[10] ~= '' then call('HSET', KEYS[2], ARGV[3] .. ':landmark', ARGV[10]) end
  local at = 11
  while at <= #ARGV do
    local last = at + tonumber(ARGV[at])
    local our = ours[ARGV[at + 1]]
    if our then our(at + 2, last) else call(unpack(ARGV, at + 1, last)) end
    at = last + 1
  end
  if ARGV[8] ~= '' then call('XADD', KEYS[3], 'MAXLEN', ARGV[9], version, 'entry', ARGV[8]) end
  call('PUBLISH', ARGV[7], ARGV[3])
  return 'applied'
`);

/**
 * Takes a free namespace, with a new store. Answers with the store and with how far the projection has come. Keys:
 * lease, state. Values: lease value, product, format, id for a new store, projection.
 */
const initialisationScript = new LuaScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'fenced'} end
  local found = redis.call('HMGET', KEYS[2], 'product', 'format', 'store', ARGV[5])
  if not found[1] and not found[3] then
    redis.call('HSET', KEYS[2], 'product', ARGV[2], 'format', ARGV[3], 'store', ARGV[4])
    return {'created', ARGV[4], false}
  end
  if found[1] ~= ARGV[2] or found[2] ~= ARGV[3] then return {'foreign'} end
  return {'found', found[3], found[4]}
`);

/**
 * Removes rows of earlier stores, as long as the store is still the one that asks. Keys: state, then what is to go.
 * Value: the store.
 */
const sweepScript = new LuaScript(`
  if redis.call('HGET', KEYS[1], 'store') ~= ARGV[1] then return 0 end
  return redis.call('UNLINK', unpack(KEYS, 2))
`);
