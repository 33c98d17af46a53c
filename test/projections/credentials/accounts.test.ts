import { expect } from "chai";
import type { CredentialChange } from "../../../projections/credentials/changes.js";
import { credentials } from "../../../projections/credentials/project.js";
import type { StreamRestoration } from "../../../projections/ports.js";
import type { DomainEvent } from "../../../src/events/domainEvent.js";
import {
  accountStream,
  apiKeyStream,
  sessionStream,
  serviceAccountStream,
  type StreamName,
} from "../../../src/events/streams.js";
import type { AccountRecord, CredentialRecord, SessionRecord } from "../../../src/readModels/credentials.js";
import { toCredentialId } from "../../../src/shared/ids.js";
import { alice, bob, events } from "../../support/examples.js";
import { deliver, projectionScenarios } from "../../support/givenProjection.js";
import { readModelEngines, type ReadModelEngine, type ReadModelsUnderTest } from "../../support/readModelEngines.js";
import { recordedAt, recordEvents } from "../../support/recordEvents.js";

interface Rows {
  readonly credentials: readonly CredentialRecord[];
  readonly accounts: readonly AccountRecord[];
  readonly sessions: readonly SessionRecord[];
}

const rowsOf = async ({ readers: { credentials: reader } }: ReadModelsUnderTest): Promise<Rows> => ({
  credentials: await reader.list(),
  accounts: await reader.accounts(),
  sessions: await reader.sessions(),
});

const scenariosOn = (engine: ReadModelEngine) =>
  projectionScenarios<unknown, Rows>(async () => {
    const readModels = await engine.open();
    return {
      projection: credentials as never,
      writer: readModels.writers.credentials as never,
      rows: () => rowsOf(readModels),
      close: () => readModels.close(),
    };
  });

const { AccountCreated: created, AccountPasswordSet: passwordSet, AccountDisabled: disabled } = events;
const { AccountRoleGiven: auditorGiven, AccountRoleTaken: developerTaken, AccountEnabled: enabled } = events;
const { SessionStarted: started, SessionUsed: used, SessionEnded: ended } = events;
const account: AccountRecord = {
  ...created.data,
  ...{ createdAt: recordedAt, createdBy: "operator", disabledAt: null, hasPassword: false, lastSignInAt: null },
  sessionsEndedRevision: null,
};
const session: SessionRecord = { ...started.data, startedAt: recordedAt, lastUsedAt: null, endedAt: null };
const rows = (changed: Partial<Rows>): Rows => ({ credentials: [], accounts: [], sessions: [], ...changed });
const later = (id: string, expiresAt: string): DomainEvent => ({
  type: "SessionStarted",
  data: { ...started.data, id: toCredentialId(id), email: bob, expiresAt },
});
const longSince = "2026-01-02T03:04:05.678Z";

describe("accounts and sessions", () => {
  for (const engine of readModelEngines)
    engine.describe(() => {
      accountsSuite(engine);
      restorationSuite(engine);
    });
});

function accountsSuite(engine: ReadModelEngine): void {
  const given = scenariosOn(engine);
  const bobs = { ...created, data: { ...created.data, email: bob, roles: [] } };

  it("keeps accounts, oldest first", () =>
    given([created, bobs])
      .redelivered()
      .then(rows({ accounts: [account, { ...account, email: bob, roles: [] }] })));

  it("gives and takes roles; taking one ends sessions", () =>
    given([created, auditorGiven, developerTaken])
      .redelivered()
      .then(rows({ accounts: [{ ...account, roles: ["administrator", "auditor"], sessionsEndedRevision: 2 }] })));

  it("knows that there is a password, and never which; setting one ends sessions", () =>
    given([created, events.AccountLinkIssued, passwordSet])
      .redelivered()
      .then(rows({ accounts: [{ ...account, hasPassword: true, sessionsEndedRevision: 2 }] })));

  it("ends sessions where the person has asked for it", () =>
    given([created, events.AccountSessionsEnded])
      .redelivered()
      .then(rows({ accounts: [{ ...account, sessionsEndedRevision: 1 }] })));

  it("disables and enables, and sessions of before stay ended", async () => {
    await given([created, disabled])
      .redelivered()
      .then(rows({ accounts: [{ ...account, disabledAt: recordedAt, sessionsEndedRevision: 1 }] }));
    await given([created, disabled, enabled])
      .redelivered()
      .then(rows({ accounts: [{ ...account, sessionsEndedRevision: 1 }] }));
  });

  it("starts, uses and ends sessions, and tells when somebody signed in last", async () => {
    const accounts = [{ ...account, lastSignInAt: recordedAt }];
    await given([created, started])
      .redelivered()
      .then(rows({ accounts, sessions: [session] }));
    await given([created, started, used, ended])
      .redelivered()
      .then(rows({ accounts, sessions: [{ ...session, lastUsedAt: used.data.usedAt, endedAt: recordedAt }] }));
  });

  it("lets go of sessions that have ended or expired when another one starts", () =>
    given([later("old", longSince), started, ended, later("new", started.data.expiresAt)])
      .redelivered()
      .then(rows({ sessions: [{ ...session, id: toCredentialId("new"), email: bob }] })));

  it("keeps those that have neither, beside it", () =>
    given([started, later("new", started.data.expiresAt)]).then(
      rows({ sessions: [session, { ...session, id: toCredentialId("new"), email: bob }] }),
    ));

  it("takes an account of which an event cannot be applied for disabled, and such a session for ended", async () => {
    const readModels = await engine.open();
    try {
      const under = { projection: credentials, writer: readModels.writers.credentials };
      await deliver(under, recordEvents([created, started]));
      await deliver(under, recordEvents([auditorGiven, used], 100), { isParked: true });
      const { accounts, sessions } = await rowsOf(readModels);
      expect(accounts.map(({ disabledAt }) => disabledAt)).to.deep.equal([recordedAt]);
      expect(sessions.map(({ endedAt }) => endedAt)).to.deep.equal([recordedAt]);
    } finally {
      await readModels.close();
    }
    await given([created, started]).parked().then(rows({}));
  });

  it("gives nothing back that such an event may have taken, whoever enables the account again", async () => {
    const readModels = await engine.open();
    try {
      const under = { projection: credentials, writer: readModels.writers.credentials };
      await deliver(under, recordEvents([created, started]));
      await deliver(under, recordEvents([disabled], 100), { isParked: true });
      await deliver(under, recordEvents([enabled], 200));
      const [found] = (await rowsOf(readModels)).accounts;
      expect(found).to.deep.include({ disabledAt: null, roles: [] });
      expect(found?.sessionsEndedRevision, "the sessions of before have ended").to.be.a("number");
    } finally {
      await readModels.close();
    }
  });

  it("notes uses and rotations of credentials", () => {
    const { ServiceAccountCreated: made, ServiceAccountRotated: rotated } = events;
    const again = { ...rotated, data: { ...rotated.data, secretSha256: "f".repeat(64) } };
    const begun = { createdAt: recordedAt, createdBy: "operator", revokedAt: null, previousSecret: null };
    const { secretSha256, previousEndsAt: endsAt } = again.data;
    return given([made, rotated, again, events.ServiceAccountUsed, events.ApiKeyCreated, events.ApiKeyUsed])
      .redelivered()
      .then(
        rows({
          credentials: [
            {
              ...{ ...made.data, ...begun, kind: "serviceAccount", email: null, roles: [] },
              ...{ secretSha256, previousSecret: { sha256: rotated.data.secretSha256, endsAt } },
              lastUsedAt: events.ServiceAccountUsed.data.usedAt,
            },
            {
              ...{ ...events.ApiKeyCreated.data, ...begun, kind: "apiKey", name: null, datasources: null },
              lastUsedAt: events.ApiKeyUsed.data.usedAt,
            },
          ],
        }),
      );
  });
}

function restorationOf(stream: StreamName): StreamRestoration<CredentialChange> {
  const restoration = credentials.restoration?.({ kind: "stream", stream }) ?? null;
  if (restoration === null || !("stream" in restoration)) throw new Error(`${stream} is no scope of its own.`);
  return restoration;
}

/** A scope that is made afresh is as it was before, whatever stands there. */
function restorationSuite(engine: ReadModelEngine): void {
  const ofAccount = [created, auditorGiven, passwordSet, developerTaken, disabled, enabled];
  const ofServiceAccount = [
    ...[events.ServiceAccountCreated, events.ServiceAccountBound, events.ServiceAccountRotated],
    ...[events.ServiceAccountUsed],
  ];
  const ofKey = [events.ApiKeyCreated, events.ApiKeyUsed];
  const everything = recordEvents([...ofServiceAccount, ...ofKey, ...ofAccount, started, used]);
  const ids = {
    account: accountStream(alice),
    session: sessionStream(started.data.id),
    "service account": serviceAccountStream(events.ServiceAccountCreated.data.id),
    key: apiKeyStream(events.ApiKeyCreated.data.id),
  };
  for (const [what, stream] of Object.entries(ids)) {
    it(`makes ${what === "account" ? "an" : "a"} ${what} afresh from its stream, and leaves the others alone`, async () => {
      const readModels = await engine.open();
      try {
        const writer = readModels.writers.credentials;
        await deliver({ projection: credentials, writer }, everything);
        const before = await rowsOf(readModels);
        const own = everything.filter((recorded) => recorded.stream === stream);
        await deliver({ projection: credentials, writer }, own.slice(-1), { isParked: true });
        expect(await rowsOf(readModels)).not.to.deep.equal(before);
        const restoration = restorationOf(stream);
        const changes = [...restoration.before, ...own.flatMap((event) => restoration.changes(event, false))];
        const position = await writer.checkpoint();
        const condensed = restoration.condense?.(changes) ?? [];
        await writer.apply({ after: position, position, changes: condensed, parked: [], restored: [stream] });
        await new Promise((resolve) => setImmediate(resolve));
        expect(await rowsOf(readModels)).to.deep.equal(before);
      } finally {
        await readModels.close();
      }
    });
  }

  it("forgets what the log does not name", async () => {
    const readModels = await engine.open();
    try {
      const writer = readModels.writers.credentials;
      await deliver({ projection: credentials, writer }, everything);
      const changes = Object.values(ids).flatMap((stream) => [...restorationOf(stream).before]);
      const position = await writer.checkpoint();
      await writer.apply({ after: position, position, changes, parked: [] });
      await new Promise((resolve) => setImmediate(resolve));
      expect(await rowsOf(readModels)).to.deep.equal(rows({}));
    } finally {
      await readModels.close();
    }
  });
}
