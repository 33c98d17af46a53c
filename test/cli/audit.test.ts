import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { AccessAnswer, WhatIfAnswer } from "../../src/audit/auditQueries.js";
import { CommandLine, eventually } from "./commandLine.js";

const asked = ["audit", "access", "--user", "ada@example.com", "--document", "handbook/pay"];

describe("questions of auditors on the command line", function () {
  this.timeout(60_000);
  let cli: CommandLine;
  let url: string;
  let key: string;
  before(async () => {
    cli = await CommandLine.onFreshFolder();
    ({ url } = await cli.serve());
    const { token } = await cli.runForJson<{ token: string }>("service-account", "create", "--name", "sync");
    ({ key } = await cli.runForJson<{ key: string }>(
      "api-key",
      "create",
      "--email",
      "grace@example.com",
      "--role",
      "auditor",
    ));
    const push = (path: string, body: object) => () =>
      fetch(`${url}/api/indexing/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }).then(({ status }) => status);
    const pushed = (path: string, body: object) => eventually(push(path, body), (status) => status === 200);
    await pushed("datasources", { name: "handbook" });
    for (const email of ["ada@example.com", "bob@example.com"])
      await pushed("users", { datasource: "handbook", user: { email } });
    await pushed("groups", { datasource: "handbook", group: { name: "hr" } });
    await pushed("memberships", {
      datasource: "handbook",
      membership: { group_name: "hr", member_email: "bob@example.com" },
    });
    const body = { mime_type: "text/plain", text_content: "Salaries." };
    await pushed("documents", {
      documents: {
        datasource: "handbook",
        id: "pay",
        title: "Pay",
        file_type: "page",
        body,
        permissions: { allowed_groups: ["hr"] },
      },
    });
    const served = async () =>
      cli.runForJson<AccessAnswer>("audit", "access", "--user", "bob@example.com", "--document", "handbook/pay");
    await eventually(served, ({ has_access: hasAccess }) => hasAccess);
  });
  after(() => cli.clear());

  const there = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await cli.start([...args, "--url", url], { ENTERPRISE_SEARCH_KEY: key }).ended;
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };

  it("are answered with yes or no, and why: the same on the folder and by the service", async () => {
    const here = await cli.runForJson<AccessAnswer>(...asked);
    const { at: _now, ...answer } = JSON.parse(await there(...asked, "--json")) as AccessAnswer;
    expect(here).to.deep.include(answer);
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

  it("try what would be, and leave everything as it is", async () => {
    const { smallest_change: change } = await cli.runForJson<AccessAnswer>(...asked);
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
    expect((await cli.runForJson<AccessAnswer>(...asked)).has_access).to.equal(false);

    await writeFile(
      file,
      JSON.stringify({ method: "DELETE", path: "/api/indexing/memberships/handbook/hr/user/bob%40example.com" }),
    );
    const { stdout } = await cli.run("audit", "what-if", "--command", file);
    expect(stdout)
      .to.include("0 would be gained, 1 lost. Nothing was written.")
      .and.match(/loses +bob@example.com +handbook\/pay +hr/);
  });

  it("are refused with a sentence where they cannot be asked", async () => {
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await cli.run(...args);
      return [code, stderr.split("\n")[0]];
    };
    expect(await refused("audit", "access", "--user", "a@b.c", "--document", "pay")).to.deep.equal([
      2,
      "document: A document is written as {datasource}/{id}, such as handbook/travel-2024.md.",
    ]);
    expect(await refused(...asked, "--at", "2999-01-01")).to.deep.equal([
      2,
      "at: The moment must not lie in the future.",
    ]);
    expect(await refused(...asked, "--url", url)).to.deep.equal([
      2,
      "--url needs the personal key of an auditor there, in the environment variable ENTERPRISE_SEARCH_KEY.",
    ]);
    expect(await refused("audit", "what-if", "--command", "/nowhere.json")).to.deep.equal([
      2,
      "The requests /nowhere.json cannot be read: ENOENT: no such file or directory, open '/nowhere.json'",
    ]);
  });
});
