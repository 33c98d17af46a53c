import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { createCommands } from "../../commands/createCommands.js";
import type { WebQueriesAnswer } from "../../src/audit/routes/auditWebQueries.js";
import type { QuestionsAnswer } from "../../src/audit/routes/auditQuestions.js";
import type { AgentAnswer, AgentsAnswer } from "../../src/operations/routes/agents.js";
import { toAnswerId, toEmail } from "../../src/shared/ids.js";
import { openSqliteEventLog } from "../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { accepted } from "../commands/temporaryCommands.js";
import { logFileIn } from "../adapters/log/sqlite/temporaryLog.js";
import type { ApiClient } from "../support/apiClient.js";
import { commands as examples, operator as context } from "../support/examples.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { CommandLine } from "./commandLine.js";

describe("agents, and what left for the web", () => {
  let service: ServiceUnderTest;
  let cli: CommandLine;
  let operator: ApiClient;
  before(async () => {
    service = await startServiceUnderTest();
    cli = CommandLine.onFolderOf(service);
    operator = await service.person("olga@example.org", "operator");
  });
  after(async () => {
    await service.stop();
    await cli.clear();
  });

  const bare = { name: "Bare", instructions: "", model: null, tools: [], sources: null, users: null };

  it("are created, listed, read, replaced and deleted by operators", async () => {
    const made = await operator.post<AgentAnswer>("/api/admin/agents", { name: " Bare " });
    const { id } = made.body;
    expect(made.body).to.deep.equal({ ...bare, id, web_after_internal: false });
    expect((await operator.get(`/api/admin/agents/${id}`)).body).to.deep.equal(made.body);
    const whole = {
      ...{ name: "Whole", instructions: "Be brief.", model: "gpt", tools: ["internalSearch"], sources: ["a__b"] },
      ...{ users: ["ada@example.org"], web_after_internal: true },
    };
    const replaced = await operator.put(`/api/admin/agents/${id}`, { ...whole, users: [" ADA@example.org"] });
    expect(replaced.body).to.deep.equal({ id, ...whole });
    expect((await operator.get<AgentsAnswer>("/api/admin/agents")).body.agents).to.deep.equal([replaced.body]);
    expect((await operator.delete(`/api/admin/agents/${id}`)).body).to.deep.equal({ id, deleted: true });
    for (const gone of [
      await operator.get(`/api/admin/agents/${id}`),
      await operator.put(`/api/admin/agents/${id}`, { name: "x" }),
      await operator.delete(`/api/admin/agents/${id}`),
    ])
      expect([gone.status, gone.body]).to.deep.equal([404, { detail: `There is no agent with the id "${id}".` }]);
  });

  it("are refused where they are wrong, and to whoever is no operator", async () => {
    for (const [body, loc] of [
      [{}, ["body", "name"]],
      [{ name: " " }, ["body", "name"]],
      [{ name: "x", tools: ["shell"] }, ["body", "tools", 0]],
      [{ name: "x", sources: ["Not A Name"] }, ["body", "sources", 0]],
      [{ name: "x", users: [" "] }, ["body", "users", 0]],
      [{ name: "x", model: "agent:3f2a" }, ["body", "model"]],
    ] as const) {
      const { status, body: answer } = await operator.post<{ detail: { loc: unknown }[] }>("/api/admin/agents", body);
      expect(status).to.equal(422);
      expect(answer.detail[0]?.loc).to.deep.equal(loc);
    }
    const person = await service.person("ada@example.org", "auditor");
    expect((await person.get("/api/admin/agents")).status).to.equal(403);
  });

  it("are looked after on the command line, at a service and on the folder", async () => {
    const file = join(cli.dataDir, "instructions.md");
    await writeFile(file, "Answer from the handbook.\n");
    const create = ["agent", "create", "--name", "Desk", "--instructions", file, "--tool", "internalSearch"];
    const people = [
      "--user",
      "ada@example.org",
      "grace@example.org",
      "--source",
      "handbook",
      "--no-web-after-internal",
    ];
    const { id, ...made } = await cli.askForJson<AgentAnswer>(operator, ...create, ...people);
    expect(made).to.deep.equal({
      ...{ ...bare, name: "Desk", instructions: "Answer from the handbook.\n", tools: ["internalSearch"] },
      ...{ sources: ["handbook"], users: ["ada@example.org", "grace@example.org"], web_after_internal: false },
    });
    const change = [
      "agent",
      "update",
      id,
      "--everybody",
      "--no-tool",
      "--all-sources",
      "--model",
      "m",
      "--instructions",
    ];
    const changed = await cli.start([...change, "-", "--json"], {}, "From stdin.").ended;
    expect(JSON.parse(changed.stdout), changed.stderr).to.deep.equal({
      ...{ ...bare, id, name: "Desk", instructions: "From stdin.", model: "m", web_after_internal: false },
    });
    expect((await cli.askForJson<AgentAnswer>(operator, "agent", "update", id, "--no-model")).model).to.equal(null);
    expect((await cli.run("agent", "list")).stdout)
      .to.contain(id)
      .and.to.contain("everybody");
    expect((await cli.ask(operator, "agent", "show", id)).stdout).to.contain("From stdin.");
    expect((await cli.ask(operator, "agent", "delete", id)).stdout).to.equal(`The agent ${id} is deleted.\n`);
    const gone = await cli.ask(operator, "agent", "show", id);
    expect([gone.code, gone.stderr]).to.deep.equal([1, `There is no agent with the id "${id}".\n`]);
    expect((await cli.ask(operator, "agent", "update", id)).code).to.equal(2);
  });

  it("tells auditors what left for whom, and records that they asked", async () => {
    const log = await openSqliteEventLog({ file: logFileIn(service.dataDir) });
    const commands = createCommands({ log, productName: "amber", now: () => new Date() });
    const bobs = { ...examples.recordWebQuery, person: toEmail("bob@example.org"), answerId: toAnswerId("answer2") };
    await accepted(commands.recordWebQuery(examples.recordWebQuery, context));
    await accepted(commands.recordWebQuery({ ...bobs, mode: "context", queries: ["one", "two"] }, context));
    await log.close();
    const auditor = await service.person("grace@example.org", "auditor");
    const { items } = (await auditor.get<WebQueriesAnswer>("/api/audit/web-queries?user=Bob@example.org")).body;
    const [sent] = items;
    expect(items).to.have.length(1);
    expect(sent).to.deep.include({ user: "bob@example.org", answer: "answer2", mode: "context", by: "operator" });
    expect(sent?.queries).to.deep.equal(["one", "two"]);
    const [first] = (await auditor.get<WebQueriesAnswer>("/api/audit/web-queries?count=1")).body.items;
    expect(first?.user).to.equal(examples.recordWebQuery.person);
    const printed = await cli.ask(auditor, "audit", "web-queries", "--csv");
    expect(printed.stdout).to.contain("one | two").and.to.contain("travel rules");
    const asked = (await auditor.get<QuestionsAnswer>("/api/audit/questions?user=bob@example.org")).body.items;
    expect(asked.map(({ question, as_of: asOf }) => [question, asOf])).to.deep.equal([["web-queries", sent?.position]]);
    const events = await cli.askForJson<{ events: { type: string }[] }>(
      operator,
      "events",
      "--stream",
      "answer-answer2",
    );
    expect(events.events.map(({ type }) => type)).to.deep.equal(["WebQuerySent"]);
  });
});
