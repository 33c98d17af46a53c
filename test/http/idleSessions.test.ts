import { expect } from "chai";
import type { Queries } from "../../queries/queries.js";
import { LastUses } from "../../src/http/signIn/lastUses.js";
import type { SessionCaller } from "../../src/readModels/credentials.js";
import { toCredentialId, toEmail } from "../../src/shared/ids.js";
import { startAppWithFakes } from "./appWithFakes.js";

type Asked = Parameters<Queries["authenticateSession"]>[0];

const email = toEmail("ada@example.org");
const caller: SessionCaller = {
  ...{ kind: "session", id: toCredentialId(email), email, roles: [], name: null, datasources: null },
  ...{ sessionId: toCredentialId("s1"), startedAt: "", expiresAt: "2999-01-01T00:00:00.000Z", lastUsedAt: null },
};

describe("a session that is used", () => {
  it("is not idle by what this process has seen of it, also before that is written down", async () => {
    const asked: Asked[] = [];
    const recorded: object[] = [];
    const lastUses = new LastUses({
      record: (use) => Promise.resolve(void recorded.push(use)),
      sessionIdleMs: 60_000,
      now: () => 1_000,
      schedule: () => () => undefined,
    });
    const app = await startAppWithFakes({
      queries: {
        authenticateSession: (question: Asked) => {
          asked.push(question);
          return Promise.resolve(caller);
        },
      },
      dependencies: { lastUses },
    });
    const cookie = `amber_session=amber_session_s1_${"x".repeat(43)}`;
    const who = () => fetch(`${app.url}/api/session`, { headers: { cookie } });
    try {
      expect((await who()).status).to.equal(200);
      expect(await (await who()).json()).to.deep.include({ email, expires_at: caller.expiresAt });
      expect(asked.map(({ idleMs, lastSeen }) => ({ idleMs, lastSeen }))).to.deep.equal([
        { idleMs: 60_000, lastSeen: undefined },
        { idleMs: 60_000, lastSeen: 1_000 },
      ]);
      expect(recorded).to.deep.equal([]);
      const lines = app.logLines.filter(({ msg }) => msg === "request");
      expect(
        lines.map(({ credential }) => credential),
        "the log names the session, and not the person",
      ).to.deep.equal(["s1", "s1"]);
      expect(JSON.stringify(app.logLines)).not.to.include("x".repeat(43));
    } finally {
      await app.stop();
    }
  });
});
