import { LRUCache } from "lru-cache";
import type { CredentialReader, Checkpointed } from "../../../../queries/ports.js";
import type { AccountRecord, CredentialRecord, SessionRecord } from "../../../readModels/credentials.js";
import { type CredentialId, type Email, toCredentialId, toStoredEmail } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { RedisCommand, RedisReply } from "../../redis/redisConnection.js";
import type { ReadSession, Snapshot } from "./readSession.js";
import type { RowKeys } from "./rowKeys.js";
import type { State } from "./servedState.js";
import { roles } from "../../../shared/credential.js";

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

/** Reads one account. */
const accountCommands = (email: Email, { accounts, accountFacts, signIns }: RowKeys): readonly RedisCommand[] => [
  ["HGET", accounts, email],
  ["HGET", signIns, email],
  ["HMGET", accountFacts, ...accountFields.map((field) => accountField(field, email))],
];

/** The account of the replies to {@link accountCommands}; null: there is none. */
function accountOf([json, signedInAt, facts]: readonly RedisReply[]): AccountRecord | null {
  if (json === null || json === undefined) return null;
  const values = facts as readonly (Buffer | null)[];
  const found = new Map(accountFields.map((field, place) => [field, values[place] ?? null]));
  return toAccount(json, signedInAt ?? null, (field) => found.get(field) ?? null);
}

/** Reads all accounts. */
const allAccountCommands = ({ accountOrder, ...keys }: RowKeys): readonly RedisCommand[] => [
  ["LRANGE", accountOrder, "0", "-1"],
  ["HGETALL", keys.accounts],
  ["HGETALL", keys.signIns],
  ["HGETALL", keys.accountFacts],
];

/** The accounts of the replies to {@link allAccountCommands}, oldest first. */
function accountsOf([order, accounts, signIns, facts]: readonly RedisReply[]): readonly AccountRecord[] {
  const [byEmail, signedInAt, factOf] = [toMap(accounts), toMap(signIns), toMap(facts)];
  return inOrder(order, byEmail).map(([email, json]) =>
    toAccount(
      json,
      signedInAt.get(email) ?? null,
      (field) => factOf.get(accountField(field, toStoredEmail(email))) ?? null,
    ),
  );
}

type Begun = Pick<AccountRecord, "email" | "origin" | "createdAt" | "createdBy">;

function toAccount(
  json: RedisReply,
  signedInAt: RedisReply,
  fact: (field: AccountField) => Buffer | null,
): AccountRecord {
  const textOf = (value: RedisReply): string | null => (value === null ? null : String(value));
  const sessionsEnded = textOf(fact("sessionsEnded"));
  return {
    ...(JSON.parse(String(json)) as Begun),
    roles: roles.filter((role) => fact(role) !== null).toSorted(),
    disabledAt: textOf(fact("disabledAt")),
    hasPassword: fact("hasPassword") !== null,
    lastSignInAt: textOf(signedInAt),
    sessionsEndedRevision: sessionsEnded === null ? null : Number(sessionsEnded),
  };
}

/** Reads one session. */
const sessionCommands = (id: CredentialId, { sessions, sessionFacts }: RowKeys): readonly RedisCommand[] => [
  ["HGET", sessions, id],
  ["HMGET", sessionFacts, ...sessionFields.map((field) => sessionField(field, id))],
];

/** The session of the replies to {@link sessionCommands}; null: there is none. */
function sessionOf([json, facts]: readonly RedisReply[]): SessionRecord | null {
  if (json === null || json === undefined) return null;
  const [usedAt, endedAt] = facts as readonly (Buffer | null)[];
  return toSession(json, usedAt ?? null, endedAt ?? null);
}

/** Reads all sessions. */
const allSessionCommands = ({ sessionOrder, sessions, sessionFacts }: RowKeys): readonly RedisCommand[] => [
  ["LRANGE", sessionOrder, "0", "-1"],
  ["HGETALL", sessions],
  ["HGETALL", sessionFacts],
];

/** The sessions of the replies to {@link allSessionCommands}, oldest first. */
function sessionsOf([order, sessions, facts]: readonly RedisReply[]): readonly SessionRecord[] {
  const factOf = toMap(facts);
  return inOrder(order, toMap(sessions)).map(([text, json]) => {
    const id = toCredentialId(text);
    return toSession(
      json,
      factOf.get(sessionField("usedAt", id)) ?? null,
      factOf.get(sessionField("endedAt", id)) ?? null,
    );
  });
}

const toSession = (json: RedisReply, usedAt: RedisReply, endedAt: RedisReply): SessionRecord => ({
  ...(JSON.parse(String(json)) as SessionRecord),
  lastUsedAt: usedAt === null ? null : String(usedAt),
  endedAt: endedAt === null ? null : String(endedAt),
});

/** Whatever proves something is told, also what has no place in the order. */
function inOrder(
  order: RedisReply | undefined,
  rows: ReadonlyMap<string, Buffer>,
): readonly (readonly [string, Buffer])[] {
  const ids = new Set([...(order as readonly Buffer[]).map(String), ...rows.keys()]);
  return [...ids].flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [[id, row] as const];
  });
}

/** The answer to `HGETALL`. */
function toMap(hash: RedisReply | undefined): ReadonlyMap<string, Buffer> {
  const flat = hash as readonly Buffer[];
  return new Map(
    flat.flatMap((field, place) => (place % 2 === 0 ? [[String(field), flat[place + 1] as Buffer] as const] : [])),
  );
}

/** What is kept of an account besides how it began, each in a field of its own; a role that is held is one. */
export const accountFields = [...roles, "disabledAt", "hasPassword", "sessionsEnded"] as const;

export type AccountField = (typeof accountFields)[number];

/** The field of a hash that holds this of an account. No name of a field has a space. */
export const accountField = (field: AccountField, email: Email): string => `${field} ${email}`;

/** What is kept of a session besides how it began. */
export const sessionFields = ["usedAt", "endedAt"] as const;

export const sessionField = (field: (typeof sessionFields)[number], id: CredentialId): string => `${field} ${id}`;
