import type { AccountRecord, SessionRecord } from "../../../readModels/credentials.js";
import { roles } from "../../../shared/credential.js";
import { toCredentialId, toStoredEmail, type CredentialId, type Email } from "../../../shared/ids.js";
import type { RedisCommand, RedisReply } from "../../redis/redisConnection.js";
import { accountField, accountFields, sessionField, sessionFields, type AccountField } from "./accountFields.js";
import type { RowKeys } from "./rowKeys.js";

/** Reads one account. */
export const accountCommands = (
  email: Email,
  { accounts, accountFacts, signIns }: RowKeys,
): readonly RedisCommand[] => [
  ["HGET", accounts, email],
  ["HGET", signIns, email],
  ["HMGET", accountFacts, ...accountFields.map((field) => accountField(field, email))],
];

/** The account of the replies to {@link accountCommands}; null: there is none. */
export function accountOf([json, signedInAt, facts]: readonly RedisReply[]): AccountRecord | null {
  if (json === null || json === undefined) return null;
  const values = facts as readonly (Buffer | null)[];
  const found = new Map(accountFields.map((field, place) => [field, values[place] ?? null]));
  return toAccount(json, signedInAt ?? null, (field) => found.get(field) ?? null);
}

/** Reads all accounts. */
export const allAccountCommands = ({ accountOrder, ...keys }: RowKeys): readonly RedisCommand[] => [
  ["LRANGE", accountOrder, "0", "-1"],
  ["HGETALL", keys.accounts],
  ["HGETALL", keys.signIns],
  ["HGETALL", keys.accountFacts],
];

/** The accounts of the replies to {@link allAccountCommands}, oldest first. */
export function accountsOf([order, accounts, signIns, facts]: readonly RedisReply[]): readonly AccountRecord[] {
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
export const sessionCommands = (id: CredentialId, { sessions, sessionFacts }: RowKeys): readonly RedisCommand[] => [
  ["HGET", sessions, id],
  ["HMGET", sessionFacts, ...sessionFields.map((field) => sessionField(field, id))],
];

/** The session of the replies to {@link sessionCommands}; null: there is none. */
export function sessionOf([json, facts]: readonly RedisReply[]): SessionRecord | null {
  if (json === null || json === undefined) return null;
  const [usedAt, endedAt] = facts as readonly (Buffer | null)[];
  return toSession(json, usedAt ?? null, endedAt ?? null);
}

/** Reads all sessions. */
export const allSessionCommands = ({ sessionOrder, sessions, sessionFacts }: RowKeys): readonly RedisCommand[] => [
  ["LRANGE", sessionOrder, "0", "-1"],
  ["HGETALL", sessions],
  ["HGETALL", sessionFacts],
];

/** The sessions of the replies to {@link allSessionCommands}, oldest first. */
export function sessionsOf([order, sessions, facts]: readonly RedisReply[]): readonly SessionRecord[] {
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
export function inOrder(
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
export function toMap(hash: RedisReply | undefined): ReadonlyMap<string, Buffer> {
  const flat = hash as readonly Buffer[];
  return new Map(
    flat.flatMap((field, place) => (place % 2 === 0 ? [[String(field), flat[place + 1] as Buffer] as const] : [])),
  );
}
