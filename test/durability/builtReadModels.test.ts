import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { createLogger } from "../../src/logging.js";
import { startService, type RunningService } from "../../src/main.js";
import { newDataDir, startServiceUnderTest } from "../support/startService.js";
import { testConfig } from "../support/testConfig.js";

const ada = "ada@example.org";

interface Health {
  readonly status: string;
  readonly waits_for?: readonly { readonly name: string; readonly state: string; readonly progress: number | null }[];
}

describe("a service while its read models are built", () => {
  const folder = newDataDir();
  let api: RunningService;
  let projector: RunningService | null = null;
  let credentials: { readonly person: string; readonly account: string };

  const start = (role: string): Promise<RunningService> => {
    const config = testConfig({ DATA_DIR: folder, ROLE: role });
    return startService(config, createLogger(config));
  };
  const health = async (): Promise<{ readonly code: number; readonly body: Health }> => {
    const answer = await fetch(`${api.url}/health/ready`);
    return { code: answer.status, body: (await answer.json()) as Health };
  };
  /** Sent once: clients of tests come back after a 503. */
  const ask = async (method: string, path: string, credential: string, body?: object): Promise<Response> =>
    fetch(api.url + path, {
      method,
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const questions = (): Promise<readonly Response[]> =>
    Promise.all([
      ask("GET", "/api/beta/search?query=plan", credentials.person),
      ask("GET", "/api/indexing/datasources/wiki", credentials.account),
      ask("POST", "/api/indexing/documents/check-access", credentials.account, {
        ...{ datasource: "wiki", document_id: "plan", user_email: ada },
      }),
    ]);

  before(async () => {
    const whole = await startServiceUnderTest({ DATA_DIR: folder });
    const write = async (path: string, body: object): Promise<void> =>
      expect((await whole.indexing.post(`/api/indexing/${path}`, body)).status, path).to.equal(200) && undefined;
    await write("datasources", { name: "wiki" });
    await write("users", { datasource: "wiki", user: { email: ada } });
    const plan = { datasource: "wiki", id: "plan", title: "Plan", file_type: "page" };
    await write("documents", { documents: { ...plan, body: { mime_type: "text/plain", text_content: "The plan." } } });
    const person = await whole.person(ada);
    credentials = { person: person.credential ?? "", account: whole.indexing.credential ?? "" };
    await whole.stop();
    for (const file of ["readModels", "search"])
      for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, `${file}.sqlite${end}`), { force: true });
    api = await start("api");
  });
  after(async () => {
    await api.stop();
    await projector?.stop();
    await rm(folder, { recursive: true });
  });

  it("refuses what rests on them, and says when to come back", async () => {
    for (const answer of await questions()) {
      expect(answer.status, answer.url).to.equal(503);
      expect(Number(answer.headers.get("retry-after"))).to.be.greaterThan(0);
    }
  });

  it("says which of them are awaited, and how far they are", async () => {
    const { code, body } = await health();
    expect(code).to.equal(503);
    expect(body.waits_for?.map(({ name }) => name).toSorted()).to.deep.equal([
      ...["catalogue", "credentials", "groupClosure", "search"],
    ]);
    for (const { state, progress } of body.waits_for ?? []) expect([state, progress]).to.deep.equal(["building", 0]);
    expect(JSON.stringify(body), "positions are for operators").to.not.match(/position|up_to/);
  });

  it("answers once they have come as far as the log", async () => {
    projector = await start("projector");
    while ((await health()).code !== 200);
    const answers = await questions();
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(await answers[0]?.json()).to.have.property("total", 1);
  });
});
