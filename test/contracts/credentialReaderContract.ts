import { expect } from "chai";
import type { CredentialChange } from "../../projections/credentials/changes.js";
import { credentials as projection } from "../../projections/credentials/project.js";
import type { ProjectionWriter } from "../../projections/ports.js";
import type { CredentialReader } from "../../queries/ports.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { toCredentialId, toEmail } from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";
import { alice, events, sessionId } from "../support/examples.js";
import { deliver } from "../support/givenProjection.js";
import { recordedAt, recordEvents } from "../support/recordEvents.js";

export interface CredentialsUnderTest {
  readonly credentials: CredentialReader;
  readonly writer: ProjectionWriter<CredentialChange>;
  close(): void | Promise<void>;
}

const id = toCredentialId("key1");
const data = {
  id,
  email: toEmail("ann@example.org"),
  secretSha256: "cd",
  expiresAt: null,
  roles: ["auditor", "operator"],
  language: "de",
} as const;
const created: DomainEvent = { type: "ApiKeyCreated", data };
const revoked: DomainEvent = { type: "ApiKeyRevoked", data: { id } };
const begun = { createdAt: recordedAt, createdBy: "operator", lastUsedAt: null, previousSecret: null, revokedAt: null };
const record = { ...data, ...begun, kind: "apiKey", name: null, datasources: null };

/** What every reader of the credentials promises. `open` gives a fresh one each time. */
export function credentialReaderContract(open: () => CredentialsUnderTest | Promise<CredentialsUnderTest>): void {
  let under: CredentialsUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());

  it("finds by id, and serves a revocation from the next turn of the event loop on", async () => {
    expect(await under.credentials.find(id)).to.equal(null);
    await deliver({ projection, writer: under.writer }, recordEvents([created]));
    expect(await under.credentials.find(id)).to.deep.equal(record);
    expect(await under.credentials.find(id)).to.deep.equal(record);
    await deliver({ projection, writer: under.writer }, recordEvents([revoked], 100));
    expect(await under.credentials.find(id)).to.deep.equal({ ...record, revokedAt: recordedAt });
    expect(await under.credentials.list()).to.deep.equal([{ ...record, revokedAt: recordedAt }]);
  });

  it("finds accounts and sessions, and serves what ends them from the next turn of the event loop on", async () => {
    const { AccountCreated, SessionStarted, AccountDisabled, SessionEnded } = events;
    const reader = under.credentials;
    expect([await reader.findAccount(alice), await reader.findSession(sessionId)]).to.deep.equal([null, null]);
    await deliver({ projection, writer: under.writer }, recordEvents([AccountCreated, SessionStarted]));
    const account = {
      ...{ ...AccountCreated.data, createdAt: recordedAt, createdBy: "operator", disabledAt: null, hasPassword: false },
      ...{ lastSignInAt: recordedAt, sessionsEndedRevision: null },
    };
    const session = { ...SessionStarted.data, startedAt: recordedAt, lastUsedAt: null, endedAt: null };
    expect(await reader.findAccount(alice)).to.deep.equal(account);
    expect(await reader.findSession(sessionId)).to.deep.equal(session);
    await deliver({ projection, writer: under.writer }, recordEvents([AccountDisabled, SessionEnded], 100));
    expect(await reader.findAccount(alice)).to.deep.include({ disabledAt: recordedAt });
    expect(await reader.findSession(sessionId)).to.deep.equal({ ...session, endedAt: recordedAt });
    expect((await reader.accounts()).map(({ email }) => email)).to.deep.equal([alice]);
    expect(await reader.sessions()).to.deep.equal([{ ...session, endedAt: recordedAt }]);
  });

  it("knows how far it has come", async () => {
    await deliver({ projection, writer: under.writer }, recordEvents([created]));
    expect(await under.credentials.position()).to.equal(toPosition(2));
    expect(await under.credentials.reached(toPosition(2), 0)).to.equal(true);
    expect(await under.credentials.reached(toPosition(3), 1)).to.equal(false);
  });
}
