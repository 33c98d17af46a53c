import { LRUCache } from "lru-cache";
import type { CredentialReader, Checkpointed } from "../../../../queries/ports.js";
import type { CredentialRecord } from "../../../readModels/credentials.js";
import { limitsByName } from "../../../shared/datasourceLimit.js";
import type { CredentialId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { RedisCommand, RedisReply } from "../../redis/redisConnection.js";
import type { ReadSession, Snapshot } from "./readSession.js";
import type { RowKeys } from "./rowKeys.js";
import type { State } from "./servedState.js";

const maxRemembered = 10_000;

/**
 * Remembers credentials until any of them changes: a revocation counts from the question after its commit, in every
 * process.
 */
export class RedisCredentialReader implements CredentialReader {
  private readonly progress: Checkpointed;
  private readonly known = new LRUCache<CredentialId, CredentialRecord>({ max: maxRemembered });
  private knownVersion = "";
  private knownCacheEpoch = -1;

  constructor(private readonly session: ReadSession) {
    this.progress = session.progressOf("credentials");
  }

  position(): Promise<Position> {
    return this.progress.position();
  }

  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.reached(position, timeoutMs);
  }

  async find(id: CredentialId): Promise<CredentialRecord | null> {
    const state = await this.session.state("credentials");
    const known = this.isOf(state) ? this.known.get(id) : undefined;
    if (known !== undefined) return known;
    const read = await this.read(state, ({ credentials, revocations, limits }) => [
      ["HGET", credentials, id],
      ["HGET", revocations, id],
      ["HGET", limits, id],
    ]);
    const [json, revokedAt, bound] = read.replies;
    if (json === null || json === undefined) return null;
    const record = toRecord(json, revokedAt ?? null, bound ?? null);
    this.remember(read.state, record);
    return record;
  }

  async list(): Promise<readonly CredentialRecord[]> {
    const read = await this.read(await this.session.state("credentials"), (keys) => [
      ["LRANGE", keys.credentialOrder, "0", "-1"],
      ["HGETALL", keys.credentials],
      ["HGETALL", keys.revocations],
      ["HGETALL", keys.limits],
    ]);
    const [order, records, revocations, limits] = read.replies;
    const [byId, revokedAt, bound] = [toMap(records), toMap(revocations), toMap(limits)];
    // Whatever proves something is told, also what has no place in the order.
    const ids = new Set([...(order as readonly Buffer[]).map(String), ...byId.keys()]);
    return [...ids].map((id) => toRecord(byId.get(id) ?? null, revokedAt.get(id) ?? null, bound.get(id) ?? null));
  }

  /** Reads what held at the state's moment or later. */
  private async read({ store }: State, commands: (keys: RowKeys) => readonly RedisCommand[]): Promise<Snapshot> {
    const snapshot = await this.session.snapshot(store, commands);
    if (snapshot.state.store !== store) return this.read(await this.session.state("credentials"), commands);
    await this.session.served.assertServable(snapshot.state, "credentials");
    return snapshot;
  }

  /** Forgets what was remembered of another version. */
  private remember(state: State, record: CredentialRecord): void {
    if (!this.isOf(state)) this.known.clear();
    this.knownVersion = state.credentials.version;
    this.knownCacheEpoch = state.cacheEpoch;
    this.known.set(record.id, record);
  }

  private isOf({ credentials, cacheEpoch }: State): boolean {
    return credentials.version === this.knownVersion && cacheEpoch === this.knownCacheEpoch;
  }
}

/** Rows from before there were roles name none, and limits were names. */
type StoredCredential = Omit<CredentialRecord, "roles" | "datasources"> &
  Partial<Pick<CredentialRecord, "roles">> & { readonly datasources: Parameters<typeof limitsByName>[0] | null };

function toRecord(json: RedisReply, revokedAt: RedisReply, bound: RedisReply): CredentialRecord {
  const { datasources, ...stored } = JSON.parse(String(json)) as StoredCredential;
  const limits = bound === null ? datasources : (JSON.parse(String(bound)) as NonNullable<typeof datasources>);
  return {
    roles: [],
    ...stored,
    datasources: limits === null ? null : limitsByName(limits),
    revokedAt: revokedAt === null ? null : String(revokedAt),
  };
}

const toMap = (hash: RedisReply | undefined): ReadonlyMap<string, Buffer> => {
  const flat = hash as readonly Buffer[];
  return new Map(
    flat.flatMap((field, place) => (place % 2 === 0 ? [[String(field), flat[place + 1] as Buffer] as const] : [])),
  );
};
