import { expect } from "chai";
import type { TimelineAnswer, VisibilityAnswer, WhatAnswer, WhoAnswer } from "../../src/audit/historyQuestions.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { CommandLine } from "./commandLine.js";

describe("audit who, what, history and exposure", () => {
  let service: ServiceUnderTest;
  let cli: CommandLine;
  let auditor: ApiClient;
  let token: string;

  before(async () => {
    service = await startServiceUnderTest();
    cli = CommandLine.onFolderOf(service);
    auditor = await service.person("eve@example.org", "auditor");
    const post = async (path: string, body: object): Promise<void> => {
      const { status, headers } = await service.indexing.post(`/api/indexing/${path}`, body);
      expect(status, path).to.equal(200);
      token = headers.get("x-consistency-token") ?? token;
    };
    await post("datasources", { name: "wiki" });
    for (const email of ["ada@example.org", "bob@example.org"])
      await post("users", { datasource: "wiki", user: { email } });
    await post("groups", { datasource: "wiki", group: { name: "staff" } });
    await post("memberships", {
      datasource: "wiki",
      membership: { group_name: "staff", member_email: "ada@example.org" },
    });
    const document = {
      datasource: "wiki",
      id: "plan",
      title: "Plan",
      body: { mime_type: "text/plain", text_content: "Plan." },
      file_type: "page",
    };
    await post("documents", {
      documents: {
        ...document,
        permissions: { allowed_groups: ["staff"], allowed_users: [{ email: "bob@example.org" }] },
      },
    });
  });
  after(async () => {
    await service.stop();
    await cli.clear();
  });

  const there = (...args: readonly string[]) => cli.ask(auditor, "audit", ...args);
  const thereForJson = <Value>(...args: readonly string[]) => cli.askForJson<Value>(auditor, "audit", ...args);

  it("answer alike on the data folder and through the service, and say where from", async () => {
    const question = ["exposure", "--document", "wiki/plan", "--grant", "group:staff", "--at", token];
    const onFolder = await cli.run("audit", ...question, "--json");
    expect(onFolder.stderr).to.equal("");
    const { source: folder, ...here } = JSON.parse(onFolder.stdout) as Record<string, unknown>;
    const { source, ...answer } = await thereForJson<Record<string, unknown>>(...question);
    expect(here).to.deep.equal(answer);
    expect([folder, source]).to.deep.equal([service.dataDir, service.url]);
  });

  it("ask for people, groups and documents, as of a moment", async () => {
    for (const [fact, ...question] of [
      ["wiki/plan was granted to the group staff", "history", "wiki/plan"],
      ["ada@example.org joined the group staff", "history", "--group", "wiki/staff"],
      ["bob@example.org was registered on wiki", "history", "--user", "bob@example.org"],
    ]) {
      const { items } = await thereForJson<TimelineAnswer>(...question, "--at", token);
      expect(items.map((item) => item.fact)).to.include(fact);
    }
    const effective = await thereForJson<VisibilityAnswer>("history", "wiki/plan", "--effective", "--at", token);
    expect(effective.items.map(({ user_email: email }) => email)).to.have.members([
      "ada@example.org",
      "bob@example.org",
    ]);
  });

  it("tell who could see what, through which groups, and since when", async () => {
    const who = await thereForJson<WhoAnswer>("who", "wiki/plan");
    expect(who.items).to.deep.equal([
      { user_email: "ada@example.org", via: { grant: "group", groups: ["staff"] } },
      { user_email: "bob@example.org", via: { grant: "user", groups: [] } },
    ]);
    expect(who.total).to.equal(2);
    const what = await thereForJson<WhatAnswer>("what", "--user", "ada@example.org");
    expect(what.items.map(({ document }) => document)).to.deep.equal(["wiki/plan"]);
    const history = await thereForJson<TimelineAnswer>("history", "--user", "ada@example.org");
    expect(history.items.map(({ fact }) => fact)).to.deep.equal([
      "ada@example.org was registered on wiki",
      "ada@example.org joined the group staff",
    ]);
    const joined = history.items[1]?.position ?? "";
    const exposure = await thereForJson<VisibilityAnswer>("exposure", "--event", joined);
    expect(exposure.about).to.deep.include({
      fact: "ada@example.org joined the group staff",
      position: joined,
      event: "MembershipAdded",
    });
    expect(exposure.items.map(({ user_email: email, document, until }) => [email, document, until])).to.deep.equal([
      ["ada@example.org", "wiki/plan", null],
    ]);
  });

  it("print tables for people and comma-separated values for programs", async () => {
    const table = await there("who", "wiki/plan");
    expect(table.stdout).to.match(
      /^As of \S+ \S+ UTC \(position \d+\)\n\nUSER_EMAIL {7}VIA\nada@example\.org {2}staff\nbob@example\.org {2}user\n\n2 people\.\n$/,
    );
    const csv = await there("what", "--user", "bob@example.org", "--csv");
    expect(csv.stdout).to.equal("document,via\r\nwiki/plan,user\r\n");
    const nothing = await there("who", "wiki/nothing");
    expect(nothing).to.deep.include({ code: 0, stderr: `Source: ${service.url}\n` });
    expect(nothing.stdout).to.include('There was no document "wiki/nothing".');
  });

  it("refuse what cannot be asked", async () => {
    for (const question of [
      ["history"],
      ["history", "wiki/plan", "--user", "a@b.c"],
      ["history", "--group", "wiki/staff", "--effective"],
      ["exposure"],
      ["exposure", "--event", "x"],
      ["who", "plan"],
    ]) {
      expect((await there(...question)).code, question.join(" ")).to.equal(2);
    }
  });
});
