import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import type { UndoAnswer } from "../../src/operations/undo/undo.js";
import type { ParkedAnswer } from "../../src/operations/parked/parkedEvents.js";
import type { VerificationAnswer } from "../../src/operations/verify/verification.js";
import type { ProjectionsAnswer } from "../../src/readModels/projectionStatus.js";
import { ensureReachable } from "../../src/cli/apiClient.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { CommandLine, type Ended } from "./commandLine.js";
import { eventually } from "../support/pauses.js";

describe("what operators do from the command line", () => {
  let service: ServiceUnderTest;
  let cli: CommandLine;
  let operator: ApiClient;
  before(async () => {
    service = await startServiceUnderTest();
    cli = CommandLine.onFolderOf(service);
    operator = await service.person("olga@example.org", "operator");
    const { indexing } = service;
    await indexing.post("/api/indexing/datasources", { name: "wiki" });
    await indexing.post("/api/indexing/users", { datasource: "wiki", user: { email: "ada@example.org" } });
    await indexing.post("/api/indexing/groups", { datasource: "wiki", group: { name: "staff" } });
    await index("plan", { allowed_groups: ["staff"] });
    await index("open", { allow_anonymous_access: true });
  });
  after(async () => {
    await service.stop();
    await cli.clear();
  });

  const index = (id: string, permissions: object) =>
    service.indexing.post("/api/indexing/documents", {
      documents: {
        datasource: "wiki",
        id,
        title: id,
        file_type: "page",
        body: { mime_type: "text/plain", text_content: `text of ${id}` },
        permissions,
      },
    });
  const onFolder = (...args: readonly string[]): Promise<Ended> => cli.run(...args);
  const atService = (...args: readonly string[]): Promise<Ended> => cli.ask(operator, ...args);

  for (const [where, run] of [
    ["on the data folder", onFolder],
    ["at a service", atService],
  ] as const) {
    describe(where, () => {
      it("names what is served otherwise, fails, and repairs it where that is asked for", async () => {
        const database = new Database(join(service.dataDir, "search.sqlite"));
        database
          .prepare(
            "UPDATE documents SET class = (SELECT class FROM documents WHERE document_id = 'open') WHERE document_id = 'plan'",
          )
          .run();
        database.close();
        const found = await run("projections", "verify", "search");
        expect(found.code).to.equal(1);
        expect(found.stdout)
          .to.contain("wiki/plan")
          .and.to.contain("without group staff of wiki; with everyone registered of wiki");
        expect(found.stderr).to.contain("With --repair it is made afresh.");
        const repaired = await run("projections", "verify", "search", "--repair", "--json");
        expect(repaired.code, repaired.stderr).to.equal(0);
        const { drift, remaining } = JSON.parse(repaired.stdout) as VerificationAnswer;
        expect([drift.map(({ subject }) => subject), remaining]).to.deep.equal([["wiki/plan"], []]);
        expect((await run("projections", "verify", "search")).code).to.equal(0);
      });

      it("takes back what a credential wrote", async () => {
        const other = await service.serviceAccount({});
        const by = /_sa_(\w+?)_/.exec(other.credential ?? "")?.[1] ?? "";
        await other.post("/api/indexing/memberships", {
          datasource: "wiki",
          membership: { group_name: "staff", member_email: "ada@example.org" },
        });
        expect(await maySee("plan")).to.equal(true);
        const range = ["--from", "1", "--to", "999999", "--credential", by];
        const planned = await run("undo", ...range);
        expect(planned.code, planned.stderr).to.equal(0);
        expect(planned.stdout)
          .to.contain("take ada@example.org out of the group staff of wiki")
          .and.to.contain("Nothing has been written.");
        expect(planned.stdout)
          .to.contain("0 times a person would see a document again, 1 time not any more.")
          .and.to.match(/loses +ada@example.org +wiki\/plan/);
        const done = await run("undo", ...range, "--apply", "--json");
        expect(done.code, done.stderr).to.equal(0);
        expect((JSON.parse(done.stdout) as UndoAnswer).steps.map(({ outcome }) => outcome)).to.deep.equal(["done"]);
        await eventually(
          () => maySee("plan"),
          (sees) => !sees,
        );
      });
    });
  }

  it("finds everything as the log says", async () => {
    for (const name of ["search", "groupClosure"]) {
      const { code, stdout, stderr } = await atService("projections", "verify", name);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
      expect(stdout).to.contain("Everything is served as the log says.");
    }
  });

  it("repairs what is told of the past", async () => {
    const database = new Database(join(service.dataDir, "permissionHistory.sqlite"));
    const spoil = database.prepare(
      "UPDATE grants SET closed = opened WHERE document = (SELECT id FROM documents WHERE document_id = 'plan')",
    );
    // The history follows the log by itself: until it has come to the grant there is nothing to spoil.
    await eventually(
      async () => spoil.run().changes,
      (changes) => changes > 0,
    );
    database.close();
    const { code, stdout, stderr } = await atService("projections", "verify", "permissionHistory", "--repair");
    expect(code, stderr).to.equal(0);
    expect(stdout)
      .to.match(/document +wiki\/plan +grant to the group staff: from \d+ on in the log, from \d+ to \d+ served/)
      .and.to.contain("All of it has been repaired.");
  });

  it("lists what is parked, which is nothing", async () => {
    const { code, stdout } = await atService("projections", "parked", "list", "search");
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: "Nothing is parked in version 1 of search.\n" });
    expect(
      (JSON.parse((await atService("projections", "parked", "retry", "search", "--json")).stdout) as ParkedAnswer)
        .parked,
    ).to.deep.equal([]);
    const absent = await atService("projections", "parked", "discard", "search", "42");
    expect(absent.code).to.equal(1);
    expect(absent.stderr).to.contain("No event at position 42 is parked in");
  });

  it("says which projections there are where it is asked for another", async () => {
    const { code, stderr } = await atService("projections", "verify", "nothing");
    expect(code).to.equal(1);
    expect(stderr).to.contain("There is no projection named");
  });

  it("says soon that nothing answers at an address", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const failure = (asked: Promise<unknown>): Promise<string> => asked.then(String, (error: Error) => error.message);
    const { signal } = new AbortController();
    expect(await failure(ensureReachable(url, signal, { withinMs: 20 }))).to.contain("nothing came in 0.02 seconds");
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
    for (const command of [
      ["projections", "status"],
      ["import", service.dataDir, "--datasource", "wiki", "--token", "x"],
    ]) {
      const { code, stderr } = await cli.start([...command, "--url", url], { ENTERPRISE_SEARCH_KEY: "key" }).ended;
      expect(code).to.equal(1);
      expect(stderr).to.contain(`No service answers at ${url} (ECONNREFUSED).`);
    }
  });

  it("asks for the role", async () => {
    const person = await service.person("ada@example.org");
    const { code, stderr } = await cli.ask(person, "projections", "verify", "search");
    expect(code).to.equal(1);
    expect(stderr).to.contain("operator");
  });

  it("plans as well in a process of its own, and only for a credential that there is", async () => {
    const range = ["--from", "999998", "--to", "999999", "--credential"];
    const ended = await cli.startProcess(["undo", ...range, "operator", "--dry-run"]).ended;
    const stdout = "operator wrote 0 events from position 999998 to 999999. To be taken back: 0.\n";
    expect(ended).to.deep.equal({ code: 0, stdout, stderr: "" });
    for (const apply of [[], ["--apply"]])
      expect(await atService("undo", ...range, "nobody", ...apply)).to.deep.equal({
        code: 1,
        stdout: "",
        stderr: 'There is no credential with the id "nobody".\n',
      });
  });

  describe("and last", () => {
    it("shows what differs before a version that differs is accepted", async () => {
      expect(await maySee("open")).to.equal(true);
      const database = new Database(join(service.dataDir, "search.sqlite"));
      database
        .prepare(
          "UPDATE documents SET class = (SELECT class FROM documents WHERE document_id = 'open') WHERE document_id = 'plan'",
        )
        .run();
      const row = database.prepare("SELECT * FROM documents WHERE document_id = 'open'").get() as Record<
        string,
        unknown
      >;
      const columns = Object.keys(row);
      database
        .prepare(`INSERT INTO documents (${columns.join()}) VALUES (${columns.map((name) => `@${name}`).join()})`)
        .run({ ...row, row: 1_000, document_id: "ghost" });
      database.close();
      expect(await maySee("plan")).to.equal(true);
      const built = await atService("projections", "rebuild", "search", "--verify");
      expect(built.code).to.equal(1);
      expect(built.stdout).to.match(/counts +documents +number: 3 in version 1; 2 in version 2/);
      expect(built.stdout).to.match(
        /documents +wiki\/plan +principals: only in version 1: everyone registered of wiki; only in version 2: group staff of wiki/,
      );
      expect((await onFolder("projections", "status")).stdout)
        .to.contain("version 2 differs in 3 of")
        .and.to.contain("wiki/plan");
      const { projections } = JSON.parse(
        (await atService("projections", "status", "--json")).stdout,
      ) as ProjectionsAnswer;
      const comparison = projections.find(({ name }) => name === "search")?.under_way?.comparison;
      expect(comparison?.examples?.map(({ kind, subject }) => [kind, subject])).to.deep.equal([
        ["counts", "documents"],
        ["documents", "wiki/plan"],
        ["recent questions", "wiki/plan"],
      ]);
      expect((await onFolder("projections", "verify", "search", "--version", "2")).stdout)
        .to.contain("of version 2 of search")
        .and.to.contain("Everything is served as the log says.");
      expect((await atService("projections", "verify", "search", "--version", "7")).stderr).to.contain(
        "has no version 7",
      );
      expect((await atService("projections", "rebuild", "search", "--accept")).stdout).to.contain(
        "Version 2 of search is served. Kept: version 1.",
      );
      expect((await atService("projections", "verify", "search", "--version", "1")).stderr).to.contain(
        "was served before and stands still",
      );
    });
  });

  async function maySee(id: string): Promise<boolean> {
    const { body } = await service.indexing.post<{ has_access: boolean }>("/api/indexing/documents/check-access", {
      datasource: "wiki",
      document_id: id,
      user_email: "ada@example.org",
    });
    return body.has_access;
  }
});
