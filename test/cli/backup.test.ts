import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { appendFile, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "chai";
import { writeRestoreIntent } from "../../src/adapters/files/dataFolder.js";
import { ApiClient } from "../support/apiClient.js";
import { eventsInLog } from "../support/eventsInLog.js";
import { CommandLine } from "./commandLine.js";
import { eventually } from "../support/pauses.js";

interface BackupAnswer {
  readonly folder: string;
  readonly log: { readonly position: number; readonly bytes: number; readonly sha256: string } | null;
  readonly signing_key: { readonly sha256: string } | null;
}

interface RestoreAnswer {
  readonly replaced: string | null;
  readonly read_models_removed: readonly string[];
}

const sha256 = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

describe("backup and restore", () => {
  let cli: CommandLine;
  let elsewhere: CommandLine;
  beforeEach(async () => {
    cli = await CommandLine.onFreshFolder();
    elsewhere = CommandLine.onEmptyFolder();
  });
  afterEach(async () => {
    await cli.clear();
    await elsewhere.clear();
  });
  const backups = (name: string): string => join(elsewhere.dataDir, name);
  const datasources = async (line: CommandLine): Promise<readonly string[]> => {
    const { events } = await line.runForJson<{ events: { stream: string }[] }>("events", "--category", "datasource");
    return events.map(({ stream }) => stream.replace("datasource-", ""));
  };

  it("keep every write that was answered before the backup began, made under writes while the service runs", async () => {
    const { token } = await cli.runForJson<{ token: string }>("service-account", "create", "--name", "sync");
    await cli.run("audit", "public-key");
    const server = await cli.serveInProcess();
    const indexing = new ApiClient(server.url, token);
    await eventually(
      () => indexing.get("/api/indexing/datasources"),
      ({ status }) => status === 200,
    );
    const answered: string[] = [];
    const enough = new AbortController();
    const writing = (async () => {
      for (let next = 0; !enough.signal.aborted; next++) {
        const { status } = await indexing.post("/api/indexing/datasources", { name: `source${next}` });
        expect(status).to.equal(200);
        answered.push(`source${next}`);
      }
    })();
    await eventually(
      async () => answered.length,
      (count) => count >= 50,
    );
    const before = [...answered];
    const backup = await cli.runForJson<BackupAnswer>("backup", "--out", backups("monday"));
    const after = answered.length;
    enough.abort();
    await writing;
    expect(after, "writes went on meanwhile").to.be.greaterThan(before.length);
    server.command.signal("SIGTERM");
    await server.command.ended;

    expect(readdirSync(backup.folder).sort()).to.deep.equal(["auditSigningKey.pem", "log.sqlite", "manifest.json"]);
    for (const name of readdirSync(backup.folder))
      expect((statSync(join(backup.folder, name)).mode & 0o777).toString(8), name).to.equal("600");
    expect((statSync(backup.folder).mode & 0o777).toString(8)).to.equal("700");
    expect(sha256(join(backup.folder, "log.sqlite"))).to.equal(backup.log?.sha256);
    expect(JSON.parse(readFileSync(join(backup.folder, "manifest.json"), "utf8"))).to.deep.include({ log: backup.log });

    const other = CommandLine.onEmptyFolder();
    try {
      const { replaced } = await other.runForJson<RestoreAnswer>("restore", "--from", backup.folder);
      expect(replaced).to.equal(null);
      const restored = await datasources(other);
      expect(before.filter((name) => !restored.includes(name))).to.deep.equal([]);
      expect(sha256(join(other.dataDir, "auditSigningKey.pem"))).to.equal(backup.signing_key?.sha256);
      const again = await other.serveInProcess();
      await eventually(
        () => fetch(`${again.url}/health/ready`),
        ({ status }) => status === 200,
      );
      const known = new ApiClient(again.url, token);
      expect((await known.post("/api/indexing/datasources", { name: before[0] })).status).to.equal(409);
      expect((await known.post("/api/indexing/datasources", { name: "new" })).status).to.equal(200);
    } finally {
      await other.clear();
    }
  });

  it("are for their owner alone, also where what is copied was not", async () => {
    await cli.run("audit", "public-key");
    chmodSync(join(cli.dataDir, "auditSigningKey.pem"), 0o644);
    chmodSync(join(cli.dataDir, "log.sqlite"), 0o644);
    await cli.runForJson("backup", "--out", backups("one"));
    const modes = (folder: string): readonly string[] =>
      ["log.sqlite", "auditSigningKey.pem"].map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8));
    expect(modes(backups("one"))).to.deep.equal(["600", "600"]);
    for (const name of readdirSync(backups("one"))) chmodSync(join(backups("one"), name), 0o644);
    await cli.runForJson("restore", "--from", backups("one"));
    expect(modes(cli.dataDir)).to.deep.equal(["600", "600"]);
  });

  it("leave nothing behind where they are interrupted", async () => {
    const backup = cli.start(["backup", "--out", backups("one")]);
    backup.signal("SIGINT");
    const { code, stderr } = await backup.ended;
    expect([code, stderr]).to.deep.equal([1, "It was interrupted (SIGINT).\n"]);
    expect(existsSync(backups("one")) ? readdirSync(backups("one")) : []).to.deep.equal([]);
  });

  it("take newer read models away, and move the log that was there aside", async () => {
    await cli.runForJson("service-account", "create", "--name", "kept");
    await cli.runForJson("backup", "--out", backups("one"));
    await cli.runForJson("service-account", "create", "--name", "lost");
    const newer = eventsInLog(join(cli.dataDir, "log.sqlite"));
    const answer = await cli.runForJson<RestoreAnswer>("restore", "--from", backups("one"));
    expect(answer.read_models_removed).to.include.members(["readModels.sqlite", "search.sqlite"]);
    expect(readdirSync(cli.dataDir).filter((name) => name.includes(".sqlite"))).to.deep.equal(["log.sqlite"]);
    expect(eventsInLog(join(answer.replaced ?? "", "log.sqlite"))).to.equal(newer);
    expect(eventsInLog(join(cli.dataDir, "log.sqlite"))).to.be.lessThan(newer);
    const { service_accounts: accounts } = await cli.runForJson<{ service_accounts: { name: string }[] }>(
      ...["service-account", "list"],
    );
    expect(accounts.map(({ name }) => name)).to.deep.equal(["kept"]);
    expect((await cli.run("projections", "verify", "credentials")).code).to.equal(0);
  });

  it("are refused while a service uses the folder, and change nothing then", async () => {
    await cli.runForJson("backup", "--out", backups("one"));
    const { url } = await cli.serveInProcess();
    const { code, stderr } = await cli.run("restore", "--from", backups("one"));
    expect(code, stderr).to.equal(1);
    expect(stderr).to.include("is in use. Stop every service and command");
    expect((await fetch(`${url}/health/live`)).status).to.equal(200);
    expect(readdirSync(cli.dataDir).filter((name) => /before|restoring/.test(name))).to.deep.equal([]);
  });

  it("put a log back in the place of a damaged one", async () => {
    await cli.runForJson("service-account", "create", "--name", "kept");
    await cli.runForJson("backup", "--out", backups("one"));
    writeFileSync(join(cli.dataDir, "log.sqlite"), "This is no database. ".repeat(500));
    expect((await cli.run("restore", "--from", backups("one"))).code).to.equal(0);
    expect((await cli.run("service-account", "list")).stdout).to.include("kept");
  });

  it("let no service begin anew where they are killed on their way, and are restored again", async () => {
    await cli.runForJson("service-account", "create", "--name", "kept");
    await cli.runForJson("backup", "--out", backups("one"));
    await cli.runForJson("service-account", "create", "--name", "lost");
    const log = readFileSync(join(cli.dataDir, "log.sqlite"));
    const aside = join(cli.dataDir, "before-restore-then");
    const intend = () => writeRestoreIntent(cli.dataDir, { from: backups("one"), aside });
    for (const killed of [
      // Before anything is moved, between two moves, and at the end.
      intend,
      async () => {
        await intend();
        mkdirSync(aside);
        renameSync(join(cli.dataDir, "log.sqlite"), join(aside, "log.sqlite"));
      },
      async () => {
        await intend();
        copyFileSync(join(backups("one"), "log.sqlite"), join(cli.dataDir, "log.sqlite"));
      },
    ]) {
      writeFileSync(join(cli.dataDir, "log.sqlite"), log);
      await killed();
      const { code, stderr } = await cli.run("service-account", "list");
      expect(code).to.equal(2);
      expect(stderr)
        .to.include(`A restore of ${backups("one")}`)
        .and.include("was interrupted")
        .and.include(aside);
      await cli.runForJson("restore", "--from", backups("one"));
      expect((await cli.run("service-account", "list")).stdout)
        .to.include("kept")
        .and.not.include("lost");
    }
  });

  it("end where they were meant to, or say so, whenever they are killed", async () => {
    await cli.runForJson("service-account", "create", "--name", "kept");
    await cli.runForJson("backup", "--out", backups("one"));
    for (let times = 0; times < 4; times++) {
      const restoring = cli.startProcess(["restore", "--from", backups("one")]);
      const isDone = restoring.ended.then(() => true);
      const isUnderWay = async (): Promise<boolean> => existsSync(join(cli.dataDir, "restore-under-way.json"));
      while (!(await isUnderWay()) && !(await Promise.race([isDone, nextTurn(false)])));
      // A little later each time.
      for (let turns = 0; turns < times * 3; turns++) await isUnderWay();
      restoring.signal("SIGKILL");
      await restoring.ended;
      const { code, stderr } = await cli.run("service-account", "list");
      if (code !== 0) {
        expect(stderr).to.include("was interrupted");
        await cli.runForJson("restore", "--from", backups("one"));
      }
      expect((await cli.run("service-account", "list")).stdout).to.include("kept");
    }
  });

  const losses = { gone: (file: string) => rmSync(file), empty: (file: string) => truncateSync(file) };
  for (const [loss, lose] of Object.entries(losses))
    it(`are asked for where the log of a folder is ${loss}: none begins by itself`, async () => {
      await cli.runForJson("service-account", "create", "--name", "kept");
      await cli.runForJson("backup", "--out", backups("one"));
      lose(join(cli.dataDir, "log.sqlite"));
      for (const command of [
        ["service-account", "list"],
        ["service-account", "create", "--name", "new", "--init"],
      ]) {
        const { code, stderr } = await cli.run(...command);
        expect([code, stderr]).to.deep.equal([2, stderr]);
        expect(stderr).to.include(`held a log of the service, and log.sqlite is ${loss}`);
      }
      await cli.runForJson("restore", "--from", backups("one"));
      expect((await cli.run("service-account", "list")).stdout).to.include("kept");
    });

  const spoiled: readonly (readonly [string, (folder: string) => Promise<void>, RegExp])[] = [
    [
      "a log that was changed",
      (folder) => appendFile(join(folder, "log.sqlite"), "x"),
      /log\.sqlite is not what was backed up/,
    ],
    [
      "a key that was changed",
      (folder) => copyFile(join(folder, "manifest.json"), join(folder, "auditSigningKey.pem")),
      /auditSigningKey\.pem is not what was backed up/,
    ],
    [
      "a backup that broke off",
      async (folder) => writeFileSync(join(folder, "manifest.json"), ""),
      /manifest\.json is no manifest/,
    ],
  ];
  for (const [what, spoil, sentence] of spoiled) {
    it(`refuse ${what}, and change nothing`, async () => {
      await cli.run("audit", "public-key");
      await cli.runForJson("backup", "--out", backups("one"));
      await spoil(backups("one"));
      const log = sha256(join(cli.dataDir, "log.sqlite"));
      const { code, stderr } = await cli.run("restore", "--from", backups("one"));
      expect(code).to.equal(1);
      expect(stderr).to.match(sentence);
      expect(sha256(join(cli.dataDir, "log.sqlite"))).to.equal(log);
    });
  }

  it("refuse a folder with something in it, and one without a log, and leave nothing behind", async () => {
    await cli.runForJson("backup", "--out", backups("one"));
    const again = await cli.run("backup", "--out", backups("one"));
    expect([again.code, again.stderr]).to.deep.equal([
      2,
      `${backups("one")} is not empty. Name a new folder for every backup.\n`,
    ]);
    const none = await elsewhere.run("backup", "--out", backups("none"));
    expect(none.code).to.equal(2);
    expect(none.stderr).to.include("There is no log to back up");
    expect(existsSync(backups("none"))).to.equal(false);
  });

  it("hold the signing key alone where the log lies in an event store, and fit no other log", async () => {
    const engine = { EVENTSTORE_URL: "esdb://127.0.0.1:1?tls=false" };
    await cli.run("audit", "public-key");
    const made = await cli.start(["backup", "--out", backups("key"), "--json"], engine).ended;
    expect(made.code, made.stderr).to.equal(0);
    expect(JSON.parse(made.stdout)).to.deep.include({ log: null });
    expect(readdirSync(backups("key")).sort()).to.deep.equal(["auditSigningKey.pem", "manifest.json"]);
    expect((await cli.run("restore", "--from", backups("key"))).stderr).to.include("The backup holds no log");

    const other = CommandLine.onEmptyFolder();
    writeFileSync(join(other.dataDir, "search.sqlite"), "");
    const restored = await other.start(["restore", "--from", backups("key")], engine).ended;
    expect(restored.code, restored.stderr).to.equal(0);
    expect(readdirSync(other.dataDir)).to.deep.equal(["auditSigningKey.pem"]);
    await other.clear();
    await cli.runForJson("backup", "--out", backups("log"));
    const wrong = await cli.start(["restore", "--from", backups("log")], engine).ended;
    expect([wrong.code, wrong.stderr]).to.deep.equal([
      1,
      "The backup holds a log in SQLite, but EVENTSTORE_URL names an event store. Unset it to restore into DATA_DIR.\n",
    ]);
  });

  it("say which log is damaged rather than back it up", async () => {
    await cli.runForJson("service-account", "create", "--name", "sync");
    const log = new Database(join(cli.dataDir, "log.sqlite"));
    log.pragma("wal_checkpoint(TRUNCATE)");
    log.close();
    const bytes = readFileSync(join(cli.dataDir, "log.sqlite"));
    writeFileSync(join(cli.dataDir, "log.sqlite"), bytes.fill("damaged", 16_384));
    const { code } = await cli.run("backup", "--out", backups("one"));
    expect(code).to.equal(1);
    expect(existsSync(backups("one")) ? readdirSync(backups("one")) : []).to.deep.equal([]);
  });
});
