import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { AccessAnswer, WhatIfAnswer } from "../../src/audit/auditQueries.js";
import type { HistoryAnswerPage } from "../../src/audit/historyQuestions.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { CommandLine } from "./commandLine.js";

/** As the command line prints it: with where it comes from. */
type Sourced = AccessAnswer & { readonly source: string };

const stamp = String.raw`\d{4}-\d\d-\d\d[T ][\d:.]+Z?`;

/** Questions with the whole of what they print: for people, and for programs. */
const formats: readonly (readonly [question: readonly string[], table: RegExp, csv: RegExp])[] = [
  [
    ["who", "handbook/pay"],
    new RegExp(
      String.raw`^As of ${stamp} UTC \(position \d+\)\n\nUSER_EMAIL {7}VIA\nbob@example\.com {2}hr\n\n1 person\.\n$`,
    ),
    /^user_email,via\r\nbob@example\.com,hr\r\n$/,
  ],
  [
    ["what", "--user", "bob@example.com"],
    /\nDOCUMENT {6}VIA\nhandbook\/pay {2}hr\n\n1 document\.\n$/,
    /^document,via\r\nhandbook\/pay,hr\r\n$/,
  ],
  [
    ["history", "--group", "handbook/hr"],
    new RegExp(
      String.raw`\nPOSITION +TIME \(UTC\) +BY +FACT\n[^]*\n\d+ +${stamp} +\S+ +bob@example\.com joined the group hr\n[^]*\n\d facts\.\n$`,
    ),
    new RegExp(
      String.raw`^position,time,by,fact,event,stream,revision\r\n[^]*\n\d+,${stamp},[^,]+,bob@example\.com joined the group hr,MembershipAdded,[^,]+,\d+\r\n`,
    ),
  ],
  [
    ["history", "handbook/pay", "--effective"],
    new RegExp(
      String.raw`\nFROM \(UTC\) +UNTIL \(UTC\) +USER +DOCUMENT\n${stamp} +still +bob@example\.com +handbook/pay\n\n1 interval\.\n$`,
    ),
    new RegExp(
      String.raw`^user_email,document,from,from_time,until,until_time,by_default\r\nbob@example\.com,handbook/pay,\d+,${stamp},,,false\r\n$`,
    ),
  ],
  [["who", "handbook/nothing"], /: There was no document "handbook\/nothing"\.( .*)?\n$/, /^user_email,via\r\n$/],
];

const asked = ["audit", "access", "--user", "ada@example.com", "--document", "handbook/pay"];

describe("questions of auditors on the command line", () => {
  let service: ServiceUnderTest;
  let cli: CommandLine;
  let auditor: ApiClient;
  /** Of the last write. */
  let token: string;
  before(async () => {
    service = await startServiceUnderTest();
    cli = CommandLine.onFolderOf(service);
    auditor = await service.person("grace@example.com", "auditor");
    const push = async (path: string, body: object): Promise<void> => {
      const { status, headers } = await service.indexing.post(`/api/indexing/${path}`, body);
      expect(status, path).to.equal(200);
      token = headers.get("x-consistency-token") ?? "";
    };
    await push("datasources", { name: "handbook" });
    for (const email of ["ada@example.com", "bob@example.com"])
      await push("users", { datasource: "handbook", user: { email } });
    await push("groups", { datasource: "handbook", group: { name: "hr" } });
    await push("memberships", {
      datasource: "handbook",
      membership: { group_name: "hr", member_email: "bob@example.com" },
    });
    const body = { mime_type: "text/plain", text_content: "Salaries." };
    await push("documents", {
      documents: {
        datasource: "handbook",
        id: "pay",
        title: "Pay",
        file_type: "page",
        body,
        permissions: { allowed_groups: ["hr"] },
      },
    });
    // Commands on the folder ask what is served, so it has to be.
    const check = { datasource: "handbook", document_id: "pay", user_email: "bob@example.com" };
    const { body: access } = await service.indexing.post("/api/indexing/documents/check-access", check);
    expect(access).to.deep.include({ has_access: true });
  });
  after(async () => {
    await service.stop();
    await cli.clear();
  });

  const there = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await cli.ask(auditor, ...args);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };

  it("are answered with yes or no, and why: the same on the folder and by the service", async () => {
    const { source: folder, ...here } = await cli.runForJson<Sourced>(...asked);
    const { at: _now, source, position, ...answer } = JSON.parse(await there(...asked, "--json")) as Sourced;
    // The first answer is an event of the log, too.
    expect(Number(position)).to.equal(Number(here.position) + 1);
    expect(here).to.deep.include(answer);
    expect([folder, source]).to.deep.equal([service.dataDir, service.url]);
    expect(here.missing?.kind).to.equal("not_a_member");
    expect(here.smallest_change).to.deep.equal([
      {
        method: "POST",
        path: "/api/indexing/memberships",
        body: { datasource: "handbook", membership: { group_name: "hr", member_email: "ada@example.com" } },
      },
    ]);
    const { stdout } = await cli.startProcess(asked).ended;
    expect(stdout)
      .to.match(/^No: ada@example.com may not see handbook\/pay, as of /)
      .and.include("belongs to none of the groups that handbook/pay grants: hr.")
      .and.include("  POST /api/indexing/memberships {");
    const lines = (await there("audit", "access", "--user", "bob@example.com", "--document", "handbook/pay", "--csv"))
      .trimEnd()
      .split("\r\n");
    expect(lines[0]).to.equal("has_access,at,fact,event,stream,revision,position,time,by");
    expect(lines.slice(1).map((line) => line.split(",")[2])).to.deep.equal([
      "handbook/pay grants the group hr",
      "there is a group named hr",
      "hr contains bob@example.com",
      "bob@example.com is registered on handbook",
      "the datasource handbook exists",
    ]);
  });

  it("are asked about everybody, every document and all time, on the folder as at the service", async () => {
    type Answer = HistoryAnswerPage<object> & { readonly source: string };
    for (const question of [
      ["who", "handbook/pay", "--at", token],
      ["history", "--user", "bob@example.com", "handbook/pay", "--effective", "--at", token],
    ]) {
      const { source: folder, ...here } = await cli.runForJson<Answer>("audit", ...question);
      const { source, ...answer } = await cli.askForJson<Answer>(auditor, "audit", ...question);
      expect(here, question.join(" ")).to.deep.equal(answer);
      expect(here.items, question.join(" ")).not.to.deep.equal([]);
      expect([folder, source]).to.deep.equal([service.dataDir, service.url]);
    }
  });

  for (const [question, table, csv] of formats)
    it(`print ${question.join(" ")} as a table for people, and as comma-separated values`, async () => {
      expect(await there("audit", ...question)).to.match(table);
      expect(await there("audit", ...question, "--csv")).to.match(csv);
    });

  it("take a document as search results name it, and say what may have been meant where there is none", async () => {
    const bob = ["--user", "bob@example.com"];
    expect(await there("audit", "access", ...bob, "--document", "handbook__pay")).to.match(/^Yes: /);
    for (const [meant = "", ...question] of [
      ["handbook/pay", "access", ...bob, "--document", "handbook/Payy"],
      ["handbook", "access", ...bob, "--document", "hanbook/pay"],
      ["bob@example.com", "access", "--user", "bob@exmaple.com", "--document", "handbook/pay"],
      ["handbook/pay", "who", "handbook/pai"],
      ["handbook/pay", "history", "handbook__pa"],
      ["handbook", "who", "handbok/pay"],
      ["bob@example.com", "what", "--user", "bob"],
      ["hr", "history", "--group", "handbook/HR"],
      ["handbook/pay", "exposure", "--document", "handbook/apy", "--grant", "group:hr"],
      ["bob@example.com", "history", "--effective", "--user", "bobb@example.com", "handbook/pay"],
    ])
      expect(await there("audit", ...question), question.join(" ")).to.include(` Did you mean ${meant}?`);
    for (const question of [
      ["access", "--user", "ada@example.com", "--document", "handbook/pay"],
      ["access", ...bob, "--document", "handbook/holidays"],
      ["exposure", "--document", "handbook/pay", "--grant", "user:ada@example.com"],
    ])
      expect(await there("audit", ...question), question.join(" ")).not.to.include("Did you mean");
  });

  it("try what would be, and leave everything as it is", async () => {
    const { smallest_change: change } = await cli.askForJson<AccessAnswer>(auditor, ...asked);
    const file = join(cli.dataDir, "change.json");
    await writeFile(file, JSON.stringify(change));
    const tried = await cli.runForJson<WhatIfAnswer>("audit", "what-if", "--command", file);
    const pay = { document: "handbook/pay", via: { grant: "group", groups: ["hr"] } };
    expect(tried).to.deep.include({
      items: [{ change: "gains", user_email: "ada@example.com", ...pay }],
      total: 1,
      total_gains: 1,
      total_losses: 0,
      total_relation: "eq",
    });
    expect(JSON.parse(await there("audit", "what-if", "--command", file, "--json"))).to.deep.include({
      outcomes: tried.outcomes,
      items: tried.items,
    });
    expect((await cli.askForJson<AccessAnswer>(auditor, ...asked)).has_access).to.equal(false);
    expect((await cli.ask(auditor, ...asked, "--exit-code")).code).to.equal(1);

    await writeFile(
      file,
      JSON.stringify({ method: "DELETE", path: "/api/indexing/memberships/handbook/hr/user/bob%40example.com" }),
    );
    expect(await there("audit", "what-if", "--command", file))
      .to.include("0 would be gained, 1 lost. Nothing was written.")
      .and.match(/loses +bob@example.com +handbook\/pay +hr/);
  });

  it("are refused with a sentence where they cannot be asked", async () => {
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await cli.ask(auditor, ...args);
      return [code, stderr.split("\n")[0]];
    };
    expect(await refused("audit", "access", "--user", "a@b.c", "--document", "pay")).to.deep.equal([
      2,
      "document: A document is written as {datasource}/{id} or {datasource}__{id}, such as handbook/travel-2024.md.",
    ]);
    expect(await refused(...asked, "--json", "--csv")).to.deep.equal([
      2,
      "error: option '--csv' cannot be used with option '--json'",
    ]);
    expect(await refused(...asked, "--at", "2999-01-01")).to.deep.equal([
      2,
      "at: The moment must not lie in the future.",
    ]);
    const withoutKey = await cli.run(...asked, "--url", service.url);
    expect([withoutKey.code, withoutKey.stderr]).to.deep.equal([
      2,
      "--url needs the personal key of an auditor there, in the environment variable ENTERPRISE_SEARCH_KEY.\n",
    ]);
    for (const question of [
      ["history"],
      ["history", "handbook/pay", "--user", "a@b.c"],
      ["history", "--group", "handbook/hr", "--effective"],
      ["exposure"],
      ["exposure", "--event", "x"],
      ["who", "plan"],
    ])
      expect((await refused("audit", ...question))[0], question.join(" ")).to.equal(2);
    expect(await refused("audit", "what-if", "--command", "/nowhere.json")).to.deep.equal([
      2,
      "The requests /nowhere.json cannot be read: ENOENT: no such file or directory, open '/nowhere.json'",
    ]);
  });
});
