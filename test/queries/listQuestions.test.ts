import { expect } from "chai";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { formatCredential, hashSecret, mintCredential } from "../../src/shared/credential.js";
import { toEmail } from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";
import { failed, ok } from "../../src/shared/result.js";
import { eventsOn } from "../support/accessLanguage.js";
import { alice, events } from "../support/examples.js";
import { openQuestions, type Questions } from "./questions.js";

const [wiki, files] = [eventsOn("wiki"), eventsOn("files")];
const now = new Date("2026-06-01T12:00:00.000Z");
const key = mintCredential("apiKey");
const account = mintCredential("serviceAccount");
const keyCreated = (expiresAt: string | null = null): DomainEvent => ({
  type: "ApiKeyCreated",
  data: { id: key.id, email: toEmail("ann@example.org"), secretSha256: hashSecret(key.secret), expiresAt, roles: [] },
});
const accountCreated: DomainEvent = {
  type: "ServiceAccountCreated",
  data: {
    id: account.id,
    name: "crawler",
    datasources: null,
    secretSha256: hashSecret(account.secret),
    expiresAt: null,
  },
};

describe("questions about datasources and credentials", () => {
  let questions: Questions;
  beforeEach(() => {
    questions = openQuestions();
  });
  afterEach(() => questions.close());

  it("find and list live datasources", async () => {
    const { findDatasource, listDatasources } = questions.queries;
    await questions.happened([wiki.opened(), files.opened()]);
    expect(await listDatasources({ atLeast: null })).to.deep.equal(ok([files.datasource, wiki.datasource]));
    expect(await findDatasource({ name: wiki.datasource.name, atLeast: null })).to.deep.equal(ok(wiki.datasource));
    await questions.happened([wiki.deleted()]);
    expect(await findDatasource({ name: wiki.datasource.name, atLeast: null })).to.deep.equal(
      failed({ type: "DatasourceNotFound", datasource: "wiki" }),
    );
  });

  it("list credentials of one kind", async () => {
    await questions.happened([keyCreated(), accountCreated]);
    const listed = await questions.queries.listCredentials({ kind: "serviceAccount", atLeast: null });
    expect(listed.ok && listed.value.map(({ id }) => id)).to.deep.equal([account.id]);
  });

  it("list accounts, without their passwords", async () => {
    await questions.happened([events.AccountCreated, events.AccountPasswordSet]);
    const listed = await questions.queries.listAccounts({ atLeast: null });
    expect(listed.ok && listed.value.map(({ email, hasPassword }) => ({ email, hasPassword }))).to.deep.equal([
      { email: alice, hasPassword: true },
    ]);
    expect(JSON.stringify(listed)).not.to.contain(events.AccountPasswordSet.data.passwordHash);
  });

  it("wait for the consistency token, but not for ever", async () => {
    const { findDatasource, listDatasources, listCredentials, listAccounts } = questions.queries;
    const atLeast = toPosition(1_000);
    for (const answer of [
      await findDatasource({ name: wiki.datasource.name, atLeast }),
      await listDatasources({ atLeast }),
      await listCredentials({ kind: "apiKey", atLeast }),
      await listAccounts({ atLeast }),
    ]) {
      expect(answer.ok ? null : answer.error.type).to.equal("NotYetConsistent");
    }
  });

  describe("authenticate", () => {
    const proves = async (text: string) =>
      (await questions.queries.authenticate({ credential: text, now }))?.id ?? null;
    const text = formatCredential(key, "amber");

    it("knows a credential by its secret, of either kind", async () => {
      await questions.happened([keyCreated(), accountCreated]);
      expect(await proves(text)).to.equal(key.id);
      expect(await proves(formatCredential(account, "amber"))).to.equal(account.id);
    });

    it("refuses what is malformed, unknown, of another product, of the wrong kind, or with another's secret", async () => {
      expect(await proves(text)).to.equal(null);
      await questions.happened([keyCreated(), accountCreated]);
      for (const wrong of [
        "",
        "Bearer",
        text.slice(0, -1),
        `${text}x`,
        formatCredential(key, "other"),
        formatCredential({ ...key, kind: "serviceAccount" }, "amber"),
        formatCredential({ ...key, secret: account.secret }, "amber"),
        formatCredential({ ...key, secret: "" }, "amber"),
        formatCredential(mintCredential("apiKey"), "amber"),
      ]) {
        expect(await proves(wrong), wrong).to.equal(null);
      }
    });

    it("refuses it from the call after its revocation was projected", async () => {
      await questions.happened([keyCreated()]);
      expect(await proves(text)).to.equal(key.id);
      await questions.happened([{ type: "ApiKeyRevoked", data: { id: key.id } }]);
      expect(await proves(text)).to.equal(null);
    });

    it("knows a rotated account by both secrets until the previous one ends, and by no earlier one", async () => {
      const rotatedTo = (secret: string, previousEndsAt: string): DomainEvent => ({
        type: "ServiceAccountRotated",
        data: { id: account.id, secretSha256: hashSecret(secret), previousEndsAt },
      });
      const provesBy = (secret: string) => proves(formatCredential({ ...account, secret }, "amber"));
      await questions.happened([accountCreated, rotatedTo("second", "2026-06-01T12:00:00.001Z")]);
      expect([await provesBy(account.secret), await provesBy("second")]).to.deep.equal([account.id, account.id]);
      await questions.happened([rotatedTo("third", "2026-06-01T12:00:00.000Z")]);
      const proven = [await provesBy(account.secret), await provesBy("second"), await provesBy("third")];
      expect(proven).to.deep.equal([null, null, account.id]);
      await questions.happened([
        rotatedTo("fourth", "2026-06-02T00:00:00.000Z"),
        { type: "ServiceAccountRevoked", data: { id: account.id } },
      ]);
      expect([await provesBy("third"), await provesBy("fourth")]).to.deep.equal([null, null]);
    });

    for (const [expiresAt, expected] of [
      ["2026-06-01T12:00:00.001Z", key.id],
      ["2026-06-01T12:00:00.000Z", null],
      ["2026-06-01T14:00:00.001+02:00", key.id],
      ["some day", null],
    ] as const) {
      it(`takes one that expires at ${expiresAt} for ${expected === null ? "expired" : "valid"}`, async () => {
        await questions.happened([keyCreated(expiresAt)]);
        expect(await proves(text)).to.equal(expected);
      });
    }
  });
});
