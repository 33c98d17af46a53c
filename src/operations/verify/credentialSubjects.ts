import { match } from "ts-pattern";
import type { CredentialReader } from "../../../queries/ports.js";
import type { ApiKeyEvent, ServiceAccountEvent } from "../../events/credential.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { CredentialRecord, AccountRecord, SessionRecord } from "../../readModels/credentials.js";
import type { CredentialId, Email } from "../../shared/ids.js";
import { readLog, type LogStretch } from "./readLog.js";
import { placeInSample } from "./sampling.js";
import { keyOf, type ExpectedSubject, type SubjectChoice } from "./expectedSubjects.js";
import type { AccountEvent } from "../../events/account.js";
import type { SessionEvent } from "../../events/session.js";

type CredentialEvent = ServiceAccountEvent | ApiKeyEvent;

/** Every credential, account and session that ever was, and every one that is held; they are few. */
export async function credentialSubjects(
  stretch: Omit<LogStretch, "categories">,
  { part, seed, only }: SubjectChoice,
  held: CredentialReader,
): Promise<readonly ExpectedSubject[]> {
  const records = new Map<CredentialId, CredentialRecord>();
  for await (const events of readLog({ ...stretch, categories: ["serviceAccount", "apiKey"] })) {
    for (const event of events as readonly RecordedEvent<CredentialEvent>[]) follow(records, event);
  }
  const people = new FoldedAccounts();
  for await (const events of readLog({ ...stretch, categories: ["account", "session"] })) {
    for (const event of events as readonly RecordedEvent<AccountOrSessionEvent>[]) people.follow(event);
  }
  const ids = new Set([...records.keys(), ...(await held.list()).map(({ id }) => id)]);
  const subjects: readonly ExpectedSubject[] = [
    ...[...ids].map((id) => ({ kind: "credential", of: "key", id, expected: records.get(id) ?? null }) as const),
    ...people.subjects(await held.accounts(), await held.sessions()),
  ];
  return subjects.filter((subject) => {
    const key = keyOf(subject);
    return placeInSample(seed, key) < part && (only === null || only.has(key));
  });
}

/** The first creation counts, and the first revocation after it. */
function follow(
  records: Map<CredentialId, CredentialRecord>,
  { event, metadata: { at, by } }: RecordedEvent<CredentialEvent>,
): void {
  const { id } = event.data;
  const known = records.get(id);
  const begun = { createdAt: at, createdBy: by, revokedAt: null, lastUsedAt: null, previousSecret: null };
  const next = match(event)
    .returnType<CredentialRecord | undefined>()
    .with(
      { type: "ServiceAccountCreated" },
      ({ data }) => known ?? { ...data, ...begun, kind: "serviceAccount", email: null, roles: [] },
    )
    .with(
      { type: "ApiKeyCreated" },
      ({ data }) => known ?? { ...data, ...begun, kind: "apiKey", name: null, datasources: null },
    )
    .with({ type: "ServiceAccountBound" }, ({ data: { datasources } }) => known && { ...known, datasources })
    .with({ type: "ServiceAccountRotated" }, ({ data: { secretSha256, previousEndsAt: endsAt } }) => {
      if (known === undefined || known.secretSha256 === secretSha256) return known;
      return { ...known, secretSha256, previousSecret: { sha256: known.secretSha256, endsAt } };
    })
    .with(
      { type: "ServiceAccountUsed" },
      { type: "ApiKeyUsed" },
      ({ data: { usedAt } }) => known && { ...known, lastUsedAt: usedAt },
    )
    .with(
      { type: "ServiceAccountRevoked" },
      { type: "ApiKeyRevoked" },
      () => known && { ...known, revokedAt: known.revokedAt ?? at },
    )
    .exhaustive();
  if (next !== undefined) records.set(id, next);
}

type AccountOrSessionEvent = AccountEvent | SessionEvent;

const neverEnded = { disabledAt: null, hasPassword: false, lastSignInAt: null, sessionsEndedRevision: null } as const;

/** Accounts and sessions as the log says that they are. */
class FoldedAccounts {
  private readonly accounts = new Map<Email, AccountRecord>();
  private readonly sessions = new Map<CredentialId, SessionRecord>();
  private readonly signIns = new Map<Email, string>();
  /** The latest instant at which a session was started: what is over by then need not be held. */
  private newestStart = "";

  follow(recorded: RecordedEvent<AccountOrSessionEvent>): void {
    const { event } = recorded;
    if ("id" in event.data) this.followSession(recorded as RecordedEvent<SessionEvent>);
    else this.followAccount(recorded as RecordedEvent<AccountEvent>);
  }

  /** The accounts and sessions that the log has named, and those that the read model holds. */
  subjects(heldAccounts: readonly AccountRecord[], heldSessions: readonly SessionRecord[]): readonly ExpectedSubject[] {
    const emails = new Set([...this.accounts.keys(), ...heldAccounts.map(({ email }) => email)]);
    const ids = new Set([...this.sessions.keys(), ...heldSessions.map(({ id }) => id)]);
    return [
      ...[...emails].map((id) => ({ kind: "credential", of: "account", id, expected: this.accountOf(id) }) as const),
      ...[...ids].map((id) => {
        const expected = this.sessions.get(id) ?? null;
        return { kind: "credential", of: "session", id, expected, overBy: this.newestStart } as const;
      }),
    ];
  }

  private accountOf(email: Email): AccountRecord | null {
    const account = this.accounts.get(email);
    return account === undefined ? null : { ...account, lastSignInAt: this.signIns.get(email) ?? null };
  }

  private followAccount({ event, metadata: { at, by }, revision }: RecordedEvent<AccountEvent>): void {
    const { email } = event.data;
    const known = this.accounts.get(email);
    const ended = { sessionsEndedRevision: revision };
    const next = match(event)
      .returnType<AccountRecord | undefined>()
      .with({ type: "AccountCreated" }, ({ data }) => known ?? { ...data, ...neverEnded, createdAt: at, createdBy: by })
      .with(
        { type: "AccountRoleGiven" },
        ({ data: { role } }) => known && { ...known, roles: [...new Set([...known.roles, role])].sort() },
      )
      .with(
        { type: "AccountRoleTaken" },
        ({ data: { role } }) => known && { ...known, ...ended, roles: known.roles.filter((other) => other !== role) },
      )
      .with({ type: "AccountPasswordSet" }, () => known && { ...known, ...ended, hasPassword: true })
      .with({ type: "AccountSessionsEnded" }, () => known && { ...known, ...ended })
      .with({ type: "AccountDisabled" }, () => known && { ...known, ...ended, disabledAt: at })
      .with({ type: "AccountEnabled" }, () => known && { ...known, disabledAt: null })
      .with({ type: "AccountLinkIssued" }, () => known)
      .exhaustive();
    if (next !== undefined) this.accounts.set(email, next);
  }

  private followSession({ event, metadata: { at } }: RecordedEvent<SessionEvent>): void {
    const { id } = event.data;
    const known = this.sessions.get(id);
    const next = match(event)
      .returnType<SessionRecord | undefined>()
      .with({ type: "SessionStarted" }, ({ data }) => {
        this.noteSignIn(data.email, at);
        return known ?? { ...data, startedAt: at, lastUsedAt: null, endedAt: null };
      })
      .with({ type: "SessionUsed" }, ({ data: { usedAt } }) => known && { ...known, lastUsedAt: usedAt })
      .with({ type: "SessionEnded" }, () => known && { ...known, endedAt: known.endedAt ?? at })
      .exhaustive();
    if (next !== undefined) this.sessions.set(id, next);
  }

  private noteSignIn(email: Email, at: string): void {
    const known = this.signIns.get(email) ?? "";
    this.signIns.set(email, at > known ? at : known);
    if (at > this.newestStart) this.newestStart = at;
  }
}
