import { match, P } from "ts-pattern";
import type { AccountChange, CredentialChange, SessionChange } from "../../../../projections/credentials/changes.js";
import type { ProjectionBatch, ProjectionWriter } from "../../../../projections/ports.js";
import type { CredentialRecord } from "../../../readModels/credentials.js";
import type { CredentialId, Email } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { RedisCommand } from "../../redis/redisConnection.js";
import { accountField, accountFields, sessionField, sessionFields, type AccountField } from "./credentialReader.js";
import type { RowKeys } from "./rowKeys.js";
import type { StoreSession } from "./storeSession.js";

/** The credentials' rows in Redis. What was revoked stays revoked, whatever is delivered again. */
export class RedisCredentialWriter implements ProjectionWriter<CredentialChange> {
  constructor(private readonly session: StoreSession) {}

  checkpoint(): Promise<Position> {
    return this.session.checkpoint("credentials");
  }

  async apply(batch: ProjectionBatch<CredentialChange>): Promise<"applied" | "checkpointConflict"> {
    const keys = await this.session.keys();
    return this.session.commit("credentials", {
      ...batch,
      commands: batch.changes.flatMap((change) => commandsOf(change, keys)),
      journalEntry: null,
    });
  }
}

const commandsOf = (change: CredentialChange, keys: RowKeys): readonly RedisCommand[] =>
  match(change)
    .returnType<readonly RedisCommand[]>()
    .with({ kind: "created" }, ({ record }) => [adding(record, keys)])
    .with({ kind: "restored" }, ({ record }) => restoring(record, keys))
    .with({ kind: "forgotten" }, ({ id }) => [
      ["HDEL", keys.credentials, id],
      ...[keys.revocations, keys.limits, keys.uses, keys.rotations].map((hash) => ["HDEL", hash, id]),
      ["LREM", keys.credentialOrder, "0", id],
    ])
    .with({ kind: "bound" }, ({ id, datasources }) => [["HSET", keys.limits, id, JSON.stringify(datasources)]])
    .with({ kind: "rotated" }, ({ id, secretSha256, previousEndsAt }) => [
      ["ROTATE", keys.credentials, keys.rotations, id, secretSha256, previousEndsAt],
    ])
    .with({ kind: "used" }, ({ id, usedAt }) => [["HSET", keys.uses, id, usedAt]])
    .with({ kind: "revoked" }, ({ id, at }) => [["REVOKE", keys.credentials, keys.revocations, id, at]])
    .with(
      { kind: P.union("accountCreated", "accountChanged", "roleChanged", "accountForgotten", "signedIn") },
      (ofAccount) => commandsOfAccount(ofAccount, keys),
    )
    .with(
      { kind: P.union("sessionStarted", "sessionUsed", "sessionEnded", "sessionForgotten", "sessionsOver") },
      (ofSession) => commandsOfSession(ofSession, keys),
    )
    .exhaustive();

const jsonOf = ({ revokedAt: _revokedAt, lastUsedAt: _lastUsedAt, ...stored }: CredentialRecord): string =>
  JSON.stringify(stored);

const adding = (record: CredentialRecord, { credentials, credentialOrder }: RowKeys): RedisCommand => [
  ...["ADD", credentials, credentialOrder, record.id, jsonOf(record)],
];

function restoring(record: CredentialRecord, keys: RowKeys): readonly RedisCommand[] {
  const { id, revokedAt, lastUsedAt } = record;
  const noting = (hash: string, value: string | null): RedisCommand =>
    value === null ? ["HDEL", hash, id] : ["HSET", hash, id, value];
  return [
    adding(record, keys),
    ["HSET", keys.credentials, id, jsonOf(record)],
    ["HDEL", keys.limits, id],
    ["HDEL", keys.rotations, id],
    noting(keys.uses, lastUsedAt),
    noting(keys.revocations, revokedAt),
  ];
}

const commandsOfAccount = (change: AccountChange, keys: RowKeys): readonly RedisCommand[] =>
  match(change)
    .returnType<readonly RedisCommand[]>()
    .with({ kind: "accountCreated" }, ({ account: { roles, ...account } }) => [
      ["ADD", keys.accounts, keys.accountOrder, account.email, JSON.stringify(account)],
      ...roles.map((role) => settingFact(keys, account.email, role, "")),
    ])
    .with({ kind: "accountChanged" }, ({ email, facts: { disabledAt, hasPassword, sessionsEndedRevision } }) => [
      ...(disabledAt === undefined ? [] : [settingFact(keys, email, "disabledAt", disabledAt)]),
      ...(hasPassword === undefined ? [] : [settingFact(keys, email, "hasPassword", hasPassword ? "" : null)]),
      ...(sessionsEndedRevision === undefined
        ? []
        : [settingFact(keys, email, "sessionsEnded", sessionsEndedRevision?.toString() ?? null)]),
    ])
    .with({ kind: "roleChanged" }, ({ email, role, isHeld }) => [settingFact(keys, email, role, isHeld ? "" : null)])
    .with({ kind: "accountForgotten" }, ({ email }) => [
      ["HDEL", keys.accounts, email],
      ["LREM", keys.accountOrder, "0", email],
      ["HDEL", keys.accountFacts, ...accountFields.map((field) => accountField(field, email))],
    ])
    .with({ kind: "signedIn" }, ({ email, at }) => [["LATEST", keys.signIns, email, at]])
    .exhaustive();

const settingFact = (
  { accountFacts }: RowKeys,
  email: Email,
  field: AccountField,
  value: string | null,
): RedisCommand =>
  value === null
    ? ["HDEL", accountFacts, accountField(field, email)]
    : ["HSET", accountFacts, accountField(field, email), value];

const commandsOfSession = (change: SessionChange, keys: RowKeys): readonly RedisCommand[] =>
  match(change)
    .returnType<readonly RedisCommand[]>()
    .with({ kind: "sessionStarted" }, ({ session }) => [
      ["ADD", keys.sessions, keys.sessionOrder, session.id, JSON.stringify(session)],
      ["ZADD", keys.sessionExpiries, "NX", String(Date.parse(session.expiresAt)), session.id],
    ])
    .with({ kind: "sessionUsed" }, ({ id, usedAt }) => [
      ["HSET", keys.sessionFacts, sessionField("usedAt", id), usedAt],
    ])
    .with({ kind: "sessionEnded" }, ({ id, at }) => [
      ["HSETNX", keys.sessionFacts, sessionField("endedAt", id), at],
      ["ZADD", keys.sessionExpiries, endedSession, id],
    ])
    .with({ kind: "sessionForgotten" }, ({ id }) => [forgettingSession(keys, id)])
    .with({ kind: "sessionsOver" }, ({ at }) => [
      ["SWEEP", ...placesOfSessions(keys), String(Date.parse(at)), ...sessionFields],
    ])
    .exhaustive();

/** An expiry before all others. */
const endedSession = "0";

const placesOfSessions = (keys: RowKeys): readonly string[] => [
  ...[keys.sessionExpiries, keys.sessions, keys.sessionOrder, keys.sessionFacts],
];

/** One that is not there any more is forgotten like one that is over. */
const forgettingSession = (keys: RowKeys, id: CredentialId): RedisCommand => [
  ...["DROP", ...placesOfSessions(keys), id, ...sessionFields],
];
