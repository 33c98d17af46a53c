import type {
  ApiKeyEvent,
  ApiKeyRevoked,
  ApiKeyUsed,
  ServiceAccountEvent,
  ServiceAccountRevoked,
  ServiceAccountUsed,
} from "../../src/events/credential.js";
import type { AccountEvent } from "../../src/events/account.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { SessionEvent } from "../../src/events/session.js";
import { categoryOf, idOf, type StreamName } from "../../src/events/streams.js";
import type { CredentialRecord } from "../../src/readModels/credentials.js";
import { roles } from "../../src/shared/credential.js";
import { toCredentialId, toStoredEmail } from "../../src/shared/ids.js";
import type { Projection } from "../ports.js";
import { projectByType } from "../projectByType.js";
import type { AccountChange, CredentialChange, SessionChange } from "./changes.js";

const revocation = ({
  event,
  metadata: { at },
}: RecordedEvent<ServiceAccountRevoked | ApiKeyRevoked>): readonly CredentialChange[] => [
  { kind: "revoked", id: event.data.id, at },
];

const use = ({ event }: RecordedEvent<ServiceAccountUsed | ApiKeyUsed>): readonly CredentialChange[] => [
  { kind: "used", ...event.data },
];

/** What no credential has from its beginning. */
const nothingYet = { revokedAt: null, lastUsedAt: null, previousSecret: null } as const;

const ofServiceAccount = projectByType<ServiceAccountEvent, readonly CredentialChange[]>(
  {
    ServiceAccountCreated({ event: { data }, metadata: { at, by } }) {
      const made = { createdAt: at, createdBy: by, email: null, roles: [] } as const;
      return created({ ...data, ...nothingYet, ...made, kind: "serviceAccount" });
    },
    ServiceAccountBound: ({ event: { data } }) => [{ kind: "bound", ...data }],
    ServiceAccountRotated: ({ event: { data } }) => [{ kind: "rotated", ...data }],
    ServiceAccountUsed: use,
    ServiceAccountRevoked: revocation,
  },
  [],
);

const ofApiKey = projectByType<ApiKeyEvent, readonly CredentialChange[]>(
  {
    ApiKeyCreated({ event: { data }, metadata: { at, by } }) {
      const made = { createdAt: at, createdBy: by, name: null, datasources: null } as const;
      return created({ ...data, ...nothingYet, ...made, kind: "apiKey" });
    },
    ApiKeyUsed: use,
    ApiKeyRevoked: revocation,
  },
  [],
);

const created = (record: CredentialRecord): readonly CredentialChange[] => [{ kind: "created", record }];

/** A password that is set, a role that is taken and a disabling end the sessions that the account had. */
const ofAccount = projectByType<AccountEvent, readonly AccountChange[]>(
  {
    AccountCreated: ({ event: { data }, metadata: { at, by } }) => [
      { kind: "accountCreated", account: { ...data, createdAt: at, createdBy: by } },
    ],
    AccountRoleGiven: ({ event: { data } }) => [{ kind: "roleChanged", ...data, isHeld: true }],
    AccountRoleTaken: ({ event: { data }, revision }) => [
      { kind: "roleChanged", ...data, isHeld: false },
      { kind: "accountChanged", email: data.email, facts: { sessionsEndedRevision: revision } },
    ],
    AccountPasswordSet: ({ event: { data }, revision }) => [
      { kind: "accountChanged", email: data.email, facts: { hasPassword: true, sessionsEndedRevision: revision } },
    ],
    AccountLinkIssued: () => [],
    AccountSessionsEnded: ({ event: { data }, revision }) => [
      { kind: "accountChanged", email: data.email, facts: { sessionsEndedRevision: revision } },
    ],
    AccountDisabled: ({ event: { data }, metadata: { at }, revision }) => [
      { kind: "accountChanged", email: data.email, facts: { disabledAt: at, sessionsEndedRevision: revision } },
    ],
    AccountEnabled: ({ event: { data } }) => [
      { kind: "accountChanged", email: data.email, facts: { disabledAt: null } },
    ],
  },
  [],
);

const ofSession = projectByType<SessionEvent, readonly (SessionChange | AccountChange)[]>(
  {
    SessionStarted: ({ event: { data }, metadata: { at } }) => [
      { kind: "sessionsOver", at },
      { kind: "sessionStarted", session: { ...data, startedAt: at, lastUsedAt: null, endedAt: null } },
      { kind: "signedIn", email: data.email, at },
    ],
    SessionUsed: ({ event: { data } }) => [{ kind: "sessionUsed", ...data }],
    SessionEnded: ({ event: { data }, metadata: { at } }) => [{ kind: "sessionEnded", id: data.id, at }],
  },
  [],
);

const projects = { serviceAccount: ofServiceAccount, apiKey: ofApiKey, account: ofAccount, session: ofSession };
const categories = Object.keys(projects) as readonly (keyof typeof projects)[];

/** By the stream's category; events of others change nothing. */
function project(event: RecordedEvent): readonly CredentialChange[] {
  const own: Readonly<Record<string, ((recorded: RecordedEvent) => readonly CredentialChange[]) | undefined>> =
    projects;
  return own[categoryOf(event.stream)]?.(event) ?? [];
}

/** Events of service accounts, keys, accounts and sessions become the records that callers are checked against. */
export const credentials: Projection<CredentialChange> = {
  name: "credentials",
  categories,
  project,
  /** What has an event that cannot be read proves nothing any more. */
  failClosed: (event) => ({ scope: { kind: "stream", stream: event.stream }, changes: closing(event) }),
  /** A scope is a stream: one credential, account or session. */
  restoration: (scope) =>
    scope.kind === "stream" && (categories as readonly string[]).includes(categoryOf(scope.stream))
      ? {
          stream: scope.stream,
          before: [forgetting(scope.stream)],
          changes: (event, isDiscarded) => (isDiscarded ? [] : project(event)),
          condense,
        }
      : null,
};

function closing({ stream, metadata: { at }, revision }: RecordedEvent): readonly CredentialChange[] {
  const id = toCredentialId(idOf(stream));
  if (categoryOf(stream) === "session") return [{ kind: "sessionEnded", id, at }];
  if (categoryOf(stream) !== "account") return [{ kind: "revoked", id, at }];
  const email = toStoredEmail(idOf(stream));
  return [
    { kind: "accountChanged", email, facts: { disabledAt: at, sessionsEndedRevision: revision } },
    // An account that is enabled again has none of the roles that the event may have taken.
    ...roles.map((role) => ({ kind: "roleChanged", email, role, isHeld: false }) as const),
  ];
}

function forgetting(stream: StreamName): CredentialChange {
  const id = toCredentialId(idOf(stream));
  if (categoryOf(stream) === "session") return { kind: "sessionForgotten", id };
  if (categoryOf(stream) !== "account") return { kind: "forgotten", id };
  return { kind: "accountForgotten", email: toStoredEmail(idOf(stream)) };
}

/**
 * One credential's whole record. Accounts and sessions are made afresh change by change, but for other sessions' ends:
 * those are no part of what is restored.
 */
function condense(changes: readonly CredentialChange[]): readonly CredentialChange[] {
  const first = changes.find((change) => change.kind === "created");
  if (first?.kind !== "created") return changes.filter(({ kind }) => kind !== "sessionsOver");
  return [{ kind: "restored", record: changes.reduce(changed, first.record) }];
}

/** A credential after a change of its own. The first revocation counts. */
function changed(record: CredentialRecord, change: CredentialChange): CredentialRecord {
  switch (change.kind) {
    case "bound":
      return { ...record, datasources: change.datasources };
    case "rotated": {
      const { secretSha256, previousEndsAt: endsAt } = change;
      return { ...record, secretSha256, previousSecret: { sha256: record.secretSha256, endsAt } };
    }
    case "used":
      return { ...record, lastUsedAt: change.usedAt };
    case "revoked":
      return { ...record, revokedAt: record.revokedAt ?? change.at };
    default:
      return record;
  }
}
