import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { AccessAnswer } from "../../src/audit/auditQueries.js";
import type { WhoAnswer } from "../../src/audit/historyQuestions.js";
import type { ApiClient } from "../support/apiClient.js";
import { newDataDir, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const day = "2001-01-01";

describe("a service whose permission history is far behind the log", () => {
  const folder = newDataDir();
  let service: ServiceUnderTest;
  let auditor: ApiClient;
  let token: string;

  const start = (): Promise<ServiceUnderTest> =>
    startServiceUnderTest({ DATA_DIR: folder, CONSISTENCY_TIMEOUT_MS: "100" });
  const setHistory = async (action: "pause" | "resume"): Promise<void> => {
    const { status } = await service.operator.post(`/api/admin/projections/permissionHistory/${action}`);
    expect(status).to.equal(200);
  };

  before(async () => {
    service = await start();
    const write = async (path: string, body: object): Promise<void> => {
      const { status, headers } = await service.indexing.post(`/api/indexing/${path}`, body);
      expect(status, path).to.equal(200);
      token = headers.get("x-consistency-token") ?? "";
    };
    await write("datasources", { name: "wiki" });
    await write("users", { datasource: "wiki", user: { email: "ada@example.org" } });
    const plan = { datasource: "wiki", id: "plan", title: "Plan", file_type: "page" };
    const body = { mime_type: "text/plain", text_content: "The plan." };
    await write("documents", { documents: { ...plan, body, permissions: { allow_anonymous_access: true } } });
    await setHistory("pause");
    await service.stop();
    // What is paused stays as it is, so a history that is gone is as far behind as one can be, for as long as it takes.
    for (const end of ["", "-wal", "-shm"]) await rm(join(folder, `permissionHistory.sqlite${end}`), { force: true });
    service = await start();
    auditor = await service.person("eve@example.org", "auditor");
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  /** Sent once, unlike what clients of tests do with a 503 that says when to come back. */
  const askOnce = async (path: string) => {
    const answer = await fetch(`${service.url}/api/audit/${path}`, {
      headers: { authorization: `Bearer ${auditor.credential}` },
    });
    const body = (await answer.json()) as { readonly detail: string };
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body };
  };

  it("is ready, and answers people", async () => {
    while ((await fetch(`${service.url}/health/ready`)).status !== 200);
    const person = await service.person("ada@example.org");
    const { body } = await person.get<{ results: { id: string }[] }>("/api/beta/search?query=plan");
    expect(JSON.stringify(body)).to.contain("wiki__plan");
  });

  it("tells auditors that it does not know yet, and when to ask again", async () => {
    for (const question of [
      "who?document=wiki/plan",
      `who?document=wiki/plan&at=${token}`,
      "what?user=ada@example.org",
      "history?user=ada@example.org",
      `access?user=ada@example.org&document=wiki/plan&at=${day}`,
    ]) {
      const { status, retryAfter, body } = await askOnce(question);
      expect([status, Number(retryAfter) > 0], `${question}: ${JSON.stringify(body)}`).to.deep.equal([503, true]);
    }
    expect((await askOnce("who?document=wiki/plan")).body.detail).to.match(
      /^The permission history has not come as far as this question asks, after \d+ ms of waiting\./,
    );
  });

  it("says of one person and one document what is so now, which the log tells by itself", async () => {
    const { body } = await auditor.get<AccessAnswer>("/api/audit/access?user=ada@example.org&document=wiki/plan");
    expect(body.has_access).to.equal(true);
  });

  it("answers once the history has caught up", async () => {
    await setHistory("resume");
    const { body } = await auditor.get<WhoAnswer>(`/api/audit/who?document=wiki/plan&at=${token}`);
    expect(body.items.map(({ user_email: email }) => email)).to.deep.equal(["ada@example.org"]);
    expect((await askOnce(`access?user=ada@example.org&document=wiki/plan&at=${day}`)).status).to.equal(200);
  });
});
