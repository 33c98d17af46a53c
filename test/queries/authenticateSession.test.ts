import { expect } from "chai";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { formatCredential, hashSecret, mintCredential } from "../../src/shared/credential.js";
import { alice, events } from "../support/examples.js";
import { recordedAt } from "../support/recordEvents.js";
import { openQuestions, type Questions } from "./questions.js";

const hour = 3_600_000;
const session = mintCredential("session");
const cookie = formatCredential(session, "amber");
const begun = Date.parse(recordedAt);
const startedOn = (accountRevision: number): DomainEvent => ({
  type: "SessionStarted",
  data: {
    ...{ id: session.id, email: alice, secretSha256: hashSecret(session.secret), method: "password", accountRevision },
    expiresAt: new Date(begun + 12 * hour).toISOString(),
  },
});
/** The account's events, at its revisions 0 and 1. */
const account = [events.AccountCreated, events.AccountPasswordSet];

describe("authenticateSession", () => {
  let questions: Questions;
  beforeEach(() => {
    questions = openQuestions();
  });
  afterEach(() => questions.close());

  /** After so long, with this cookie. */
  const caller = (afterMs = 1, asked: { readonly cookie?: string; readonly lastSeen?: number } = {}) =>
    questions.queries.authenticateSession({ cookie, now: new Date(begun + afterMs), idleMs: hour, ...asked });
  const signedIn = () => questions.happened([...account, startedOn(1)]);

  it("knows who is signed in, with what the account may do", async () => {
    await signedIn();
    expect(await caller()).to.deep.equal({
      ...{ kind: "session", id: alice, email: alice, roles: ["administrator", "developer"] },
      ...{ name: null, datasources: null, sessionId: session.id, startedAt: recordedAt, lastUsedAt: null },
      expiresAt: new Date(begun + 12 * hour).toISOString(),
    });
  });

  it("gives a role from the call after it was projected", async () => {
    await signedIn();
    await questions.happened([events.AccountRoleGiven]);
    expect((await caller())?.roles).to.deep.equal(["administrator", "auditor", "developer"]);
  });

  it("refuses what is malformed, unknown, of another product or kind, or with another's secret", async () => {
    expect(await caller()).to.equal(null);
    await signedIn();
    for (const wrong of [
      ...["", cookie.slice(0, -1), `${cookie}x`, formatCredential(session, "other")],
      formatCredential({ ...session, kind: "apiKey" }, "amber"),
      formatCredential({ ...session, secret: mintCredential("session").secret }, "amber"),
      formatCredential(mintCredential("session"), "amber"),
    ])
      expect(await caller(1, { cookie: wrong }), wrong).to.equal(null);
  });

  it("is no key: what a cookie holds proves nothing as a token", async () => {
    await signedIn();
    const { authenticate } = questions.queries;
    expect(await authenticate({ credential: cookie, now: new Date(begun + 1) })).to.equal(null);
  });

  it("ends with its expiry, however much it is used", async () => {
    await signedIn();
    expect(await caller(12 * hour - 1, { lastSeen: begun + 12 * hour - 1 })).not.to.equal(null);
    expect(await caller(12 * hour, { lastSeen: begun + 12 * hour - 1 })).to.equal(null);
  });

  it("ends where it was not used for too long, by what was noted or was seen here", async () => {
    await signedIn();
    expect(await caller(hour - 1)).not.to.equal(null);
    expect(await caller(hour)).to.equal(null);
    expect(await caller(hour, { lastSeen: begun + 1 })).not.to.equal(null);
    expect(await caller(hour + 1, { lastSeen: begun + 1 })).to.equal(null);
    const usedAt = new Date(begun + hour / 2).toISOString();
    await questions.happened([{ type: "SessionUsed", data: { id: session.id, usedAt } }]);
    expect((await caller(hour))?.lastUsedAt).to.equal(usedAt);
    expect(await caller(1.5 * hour)).to.equal(null);
  });

  it("ends where the person signs out", async () => {
    await signedIn();
    await questions.happened([{ type: "SessionEnded", data: { id: session.id } }]);
    expect(await caller()).to.equal(null);
  });

  for (const ending of ["AccountSessionsEnded", "AccountPasswordSet", "AccountRoleTaken", "AccountDisabled"] as const)
    it(`ends with ${ending}, and a session that was decided on before it never counts`, async () => {
      await signedIn();
      expect(await caller()).not.to.equal(null);
      await questions.happened([events[ending]]);
      expect(await caller()).to.equal(null);
    });

  it("does not come back where the account is enabled again, but a new one counts", async () => {
    await signedIn();
    await questions.happened([events.AccountDisabled, events.AccountEnabled]);
    expect(await caller()).to.equal(null);
    const fresh = mintCredential("session");
    const { data } = startedOn(4) as Extract<DomainEvent, { readonly type: "SessionStarted" }>;
    const secretSha256 = hashSecret(fresh.secret);
    await questions.happened([{ type: "SessionStarted", data: { ...data, id: fresh.id, secretSha256 } }]);
    expect((await caller(1, { cookie: formatCredential(fresh, "amber") }))?.email).to.equal(alice);
  });

  it("is worth nothing without an account", async () => {
    await questions.happened([startedOn(0)]);
    expect(await caller()).to.equal(null);
  });
});
