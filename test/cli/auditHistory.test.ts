import { expect } from "chai";
import type { TimelineAnswer, VisibilityAnswer, WhatAnswer, WhoAnswer } from "../../src/audit/historyQuestions.js";
import { CommandLine } from "./commandLine.js";

describe("audit who, what, history and exposure", function () {
  this.timeout(120_000);
  let cli: CommandLine;
  let url: string;
  let key: string;
  let token: string;

  before(async () => {
    cli = await CommandLine.onFreshFolder();
    const account = await cli.runForJson<{ token: string }>("service-account", "create", "--name", "sync");
    ({ url } = await cli.serve());
    const post = async (path: string, body: object): Promise<void> => {
      const response = await fetch(`${url}/api/indexing/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${account.token}` },
        body: JSON.stringify(body),
      });
      expect(response.status, await response.text()).to.equal(200);
      token = response.headers.get("x-consistency-token") ?? token;
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
    key = (
      await cli.runForJson<{ key: string }>("api-key", "create", "--email", "eve@example.org", "--role", "auditor")
    ).key;
  });
  after(() => cli.clear());

  const there = (...args: readonly string[]) =>
    cli.start(["audit", ...args, "--url", url], { ENTERPRISE_SEARCH_KEY: key }).ended;
  const thereForJson = async <Value>(...args: readonly string[]): Promise<Value> => {
    const { code, stdout, stderr } = await there(...args, "--json");
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Value;
  };

  it("answer alike on the data folder and through the service", async () => {
    const questions = [
      ["who", "wiki/plan"],
      ["what", "--user", "ada@example.org"],
      ["history", "wiki/plan"],
      ["history", "--user", "bob@example.org"],
      ["history", "--group", "wiki/staff"],
      ["history", "wiki/plan", "--effective"],
      ["exposure", "--document", "wiki/plan", "--grant", "group:staff"],
    ];
    for (const question of questions) {
      const asked = ["audit", ...question, "--at", token, "--json"];
      const [onFolder, atService] = await Promise.all([
        cli.run(...asked),
        cli.start([...asked, "--url", url], { ENTERPRISE_SEARCH_KEY: key }).ended,
      ]);
      expect(onFolder.stderr, question.join(" ")).to.equal("");
      expect(JSON.parse(onFolder.stdout), question.join(" ")).to.deep.equal(JSON.parse(atService.stdout));
    }
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
    expect(nothing).to.deep.include({ code: 0, stderr: "" });
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
