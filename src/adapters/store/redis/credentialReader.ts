import { LRUCache } from "lru-cache";
import type { CredentialReader, Checkpointed } from "../../../../queries/ports.js";
import type { AccountRecord, CredentialRecord, SessionRecord } from "../../../readModels/credentials.js";
import type { CredentialId, Email } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { RedisCommand, RedisReply } from "../../redis/redisConnection.js";
import {
  accountCommands,
  accountOf,
  accountsOf,
  allAccountCommands,
  allSessionCommands,
  inOrder,
  sessionCommands,
  sessionOf,
  sessionsOf,
  toMap,
} from "./accountReads.js";
import type { ReadSession, Snapshot } from "./readSession.js";
import type { RowKeys } from "./rowKeys.js";
import type { State } from "./servedState.js";

const maxRemembered = 10_000;

/**
 * Remembers credentials, sessions and accounts until any of them changes: a revocation counts from the question after
 * its commit, in every process.
 */
export class RedisCredentialReader implements CredentialReader {
  private readonly progress: Checkpointed;
  /** By kind and id: no kind has a space. */
  private readonly known = new LRUCache<string, CredentialRecord | SessionRecord | AccountRecord>({
    max: 3 * maxRemembered,
  });
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

  find(id: CredentialId): Promise<CredentialRecord | null> {
    return this.remembering(`credential ${id}`, (keys) => credentialCommands(id, keys), credentialOf);
  }

  async list(): Promise<readonly CredentialRecord[]> {
    const [order, records, ...hashes] = await this.replies((keys) => [
      ["LRANGE", keys.credentialOrder, "0", "-1"],
      ...hashesOf(keys).map((hash) => ["HGETALL", hash]),
    ]);
    const facts = hashes.map(toMap);
    return inOrder(order, toMap(records)).map(([id, json]) =>
      toRecord(
        json,
        facts.map((fact) => fact.get(id) ?? null),
      ),
    );
  }

  findSession(id: CredentialId): Promise<SessionRecord | null> {
    return this.remembering(`session ${id}`, (keys) => sessionCommands(id, keys), sessionOf);
  }

  async sessions(): Promise<readonly SessionRecord[]> {
    return sessionsOf(await this.replies(allSessionCommands));
  }

  findAccount(email: Email): Promise<AccountRecord | null> {
    return this.remembering(`account ${email}`, (keys) => accountCommands(email, keys), accountOf);
  }

  async accounts(): Promise<readonly AccountRecord[]> {
    return accountsOf(await this.replies(allAccountCommands));
  }

  private async remembering<Found extends CredentialRecord | SessionRecord | AccountRecord>(
    name: string,
    commands: (keys: RowKeys) => readonly RedisCommand[],
    toFound: (replies: readonly RedisReply[]) => Found | null,
  ): Promise<Found | null> {
    const state = await this.session.state("credentials");
    const known = this.isOf(state) ? this.known.get(name) : undefined;
    if (known !== undefined) return known as Found;
    const read = await this.read(state, commands);
    const found = toFound(read.replies);
    if (found !== null) this.remember(read.state, name, found);
    return found;
  }

  private async replies(commands: (keys: RowKeys) => readonly RedisCommand[]): Promise<readonly RedisReply[]> {
    return (await this.read(await this.session.state("credentials"), commands)).replies;
  }

  /** Reads what held at the state's moment or later. */
  private async read({ store }: State, commands: (keys: RowKeys) => readonly RedisCommand[]): Promise<Snapshot> {
    const snapshot = await this.session.snapshot(store, commands);
    if (snapshot.state.store !== store) return this.read(await this.session.state("credentials"), commands);
    await this.session.served.assertServable(snapshot.state, "credentials");
    return snapshot;
  }

  /** Forgets what was remembered of another version. */
  private remember(state: State, name: string, record: CredentialRecord | SessionRecord | AccountRecord): void {
    if (!this.isOf(state)) this.known.clear();
    this.knownVersion = state.credentials.version;
    this.knownCacheEpoch = state.cacheEpoch;
    this.known.set(name, record);
  }

  private isOf({ credentials, cacheEpoch }: State): boolean {
    return credentials.version === this.knownVersion && cacheEpoch === this.knownCacheEpoch;
  }
}

/** A record as it began, and the hashes of what came of it since. */
const hashesOf = ({ credentials, revocations, limits, uses, rotations }: RowKeys): readonly string[] => [
  ...[credentials, revocations, limits, uses, rotations],
];

const credentialCommands = (id: CredentialId, keys: RowKeys): readonly RedisCommand[] =>
  hashesOf(keys).map((hash) => ["HGET", hash, id]);

const credentialOf = ([json, ...facts]: readonly RedisReply[]): CredentialRecord | null =>
  json === null || json === undefined ? null : toRecord(json, facts);

type Rotation = Pick<CredentialRecord, "secretSha256" | "previousSecret">;

function toRecord(json: RedisReply, facts: readonly RedisReply[]): CredentialRecord {
  const [revokedAt, bound, lastUsedAt, rotation] = facts.map((fact) => (fact === null ? null : String(fact)));
  const stored = JSON.parse(String(json)) as Omit<CredentialRecord, "revokedAt" | "lastUsedAt">;
  return {
    ...stored,
    ...(rotation !== null && rotation !== undefined && (JSON.parse(rotation) as Rotation)),
    ...(bound !== null && bound !== undefined && { datasources: JSON.parse(bound) as CredentialRecord["datasources"] }),
    revokedAt: revokedAt ?? null,
    lastUsedAt: lastUsedAt ?? null,
  };
}
