import { match } from "ts-pattern";
import type { AccountEvent } from "../../events/account.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { SessionEvent } from "../../events/session.js";
import type { AccountRecord, SessionRecord } from "../../readModels/credentials.js";
import type { CredentialId, Email } from "../../shared/ids.js";
import type { ExpectedSubject } from "./expectedSubjects.js";

export type AccountOrSessionEvent = AccountEvent | SessionEvent;

const neverEnded = { disabledAt: null, hasPassword: false, lastSignInAt: null, sessionsEndedRevision: null } as const;

/** Accounts and sessions as the log says that they are. */
export class FoldedAccounts {
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

  /** Those that the log has named and those that are held. */
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
