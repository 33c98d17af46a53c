import { chmodSync, chownSync, readdirSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { CommandLine, type ServingCommand } from "./commandLine.js";
import { eventually } from "../support/pauses.js";

const others = 0o077;
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Of the folder, and of everything in it. */
const modesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(["", ...readdirSync(folder).sort()].map((name) => [name, modeOf(join(folder, name))]));

const ready = ({ url }: ServingCommand): Promise<Response> =>
  eventually(
    () => fetch(`${url}/health/ready`),
    ({ status }) => status === 200,
  );

describe("the data folder and other users of the machine", () => {
  let cli: CommandLine;
  const umask = process.umask();
  beforeEach(() => (cli = CommandLine.onEmptyFolder()));
  afterEach(async () => {
    process.umask(umask);
    await cli.clear();
  });

  it("is made for its owner alone, with every file that the service and its commands make in it", async () => {
    const dataDir = join(cli.dataDir, "made");
    process.umask(0);
    const server = await cli.serveInProcess({ DATA_DIR: dataDir });
    await ready(server);
    process.umask(0);
    const words = ["projections", "rebuild", "search"];
    expect((await cli.startProcess(words, { DATA_DIR: dataDir }).ended).code).to.equal(0);
    process.umask(0);
    expect((await cli.startProcess(["audit", "public-key"], { DATA_DIR: dataDir }).ended).code).to.equal(0);
    const modes = modesIn(dataDir);
    expect(Object.keys(modes)).to.include.members(["log.sqlite", "log.sqlite-wal", "log.sqlite-shm"]);
    expect(Object.keys(modes)).to.include.members(["search-2.sqlite", "auditSigningKey.pem", "leases.sqlite"]);
    const { "": folder, ...files } = modes;
    expect(folder).to.equal("700");
    expect(new Set(Object.values(files)), JSON.stringify(files)).to.deep.equal(new Set(["600"]));
  });

  it("is warned of at the start where others may use it, and is taken from them", async () => {
    const first = await cli.serveInProcess();
    await ready(first);
    first.command.signal("SIGTERM");
    await first.command.ended;
    chmodSync(cli.dataDir, 0o755);
    for (const name of ["log.sqlite", "search.sqlite"]) chmodSync(join(cli.dataDir, name), 0o644);
    const { command } = await cli.serveInProcess({ LOG_LEVEL: "warn" });
    const [line] = await command.noted(/Other users of this machine could use what is in the data folder: .*/);
    expect(line).to.include("log.sqlite (mode 0644), search.sqlite (mode 0644)").and.include("(mode 0755)");
    const open = Object.entries(modesIn(cli.dataDir)).filter(([, mode]) => (Number.parseInt(mode, 8) & others) !== 0);
    expect(open).to.deep.equal([]);
  });

  it("is left as it is where it holds what is not the service's: only the service's files are narrowed", async () => {
    await writeFile(join(cli.dataDir, "notes.txt"), "mine", { mode: 0o644 });
    chmodSync(cli.dataDir, 0o755);
    chmodSync(join(cli.dataDir, "notes.txt"), 0o644);
    await ready(await cli.serveInProcess());
    expect(modesIn(cli.dataDir)).to.include({ "": "755", "notes.txt": "644", "log.sqlite": "600" });
  });
});

describe("a command on a folder without data", () => {
  let cli: CommandLine;
  beforeEach(() => (cli = CommandLine.onEmptyFolder()));
  afterEach(() => cli.clear());

  for (const args of [
    ["events"],
    ["projections", "status"],
    ["projections", "verify", "search"],
    ["undo", "--from", "1", "--to", "9", "--credential", "operator"],
    ["audit", "who", "handbook/pay"],
    ["audit", "public-key"],
    ["audit", "access", "--user", "ada@example.com", "--document", "handbook/pay"],
    ["service-account", "list"],
    ["service-account", "create", "--name", "sync"],
    ["api-key", "create", "--email", "ada@example.com"],
  ]) {
    it(`says where it has looked, ends with 2, and makes nothing: ${args.join(" ")}`, async () => {
      for (const folder of [cli.dataDir, join(cli.dataDir, "nowhere")]) {
        const { code, stdout, stderr } = await cli.start(args, { DATA_DIR: folder }).ended;
        expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: "" });
        expect(stderr).to.include(`There is no data of the service in ${folder}. Set DATA_DIR`);
      }
      expect(readdirSync(cli.dataDir)).to.deep.equal([]);
    });
  }

  it("makes it where it is told so: the first credential may come before the service", async () => {
    const words = ["service-account", "create", "--name", "sync", "--init"];
    const { token } = await cli.runForJson<{ token: string }>(...words);
    expect(token).to.match(/^amber_sa_/);
    expect(readdirSync(cli.dataDir)).to.include("log.sqlite");
    expect((await cli.run("service-account", "list")).stdout).to.include("sync");
  });
});

describe("the data folder of another user", function () {
  const stranger = 31_337;
  const owner = 31_338;
  let cli: CommandLine;

  before(function () {
    // Only the superuser may act as others.
    if (process.getuid?.() !== 0) this.skip();
  });
  beforeEach(async () => {
    cli = await CommandLine.onFreshFolder();
    giveTo(owner);
  });
  afterEach(() => cli.clear());

  const giveTo = (uid: number): void => {
    for (const name of ["", ...readdirSync(cli.dataDir)]) chownSync(join(cli.dataDir, name), uid, uid);
  };
  const ownersIn = (): ReadonlySet<number> =>
    new Set(["", ...readdirSync(cli.dataDir)].map((name) => statSync(join(cli.dataDir, name)).uid));

  for (const args of [["audit", "public-key"], ["service-account", "create", "--name", "sync"], ["serve"]]) {
    it(`is refused to the superuser, who would leave files that its owner cannot write: ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await cli.startProcess(args).ended;
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: "" });
      expect(stderr).to.include(`belongs to the user with the id ${owner}, and this process runs as 0`);
      expect(ownersIn()).to.deep.equal(new Set([owner]));
    });
  }

  it("is refused to the superuser as long as it is empty, too", async () => {
    const empty = CommandLine.onEmptyFolder();
    chownSync(empty.dataDir, owner, owner);
    const { code, stderr } = await empty.startProcess(["serve"]).ended;
    expect(code, stderr).to.equal(2);
    expect(stderr).to.include(`belongs to the user with the id ${owner}`);
    await empty.clear();
  });

  it("is what its owner works on", async () => {
    const words = ["service-account", "create", "--name", "sync"];
    const { code, stderr } = await cli.startProcess(words, {}, { uid: owner }).ended;
    expect(code, stderr).to.equal(0);
    expect(ownersIn()).to.deep.equal(new Set([owner]));
  });

  it("ends a start that could write nothing there, before anything listens", async () => {
    const { code, stdout, stderr } = await cli.startProcess(["serve"], {}, { uid: stranger }).ended;
    expect(stdout).to.equal("");
    expect(code, stderr).to.be.oneOf([1, 2]);
    expect(stderr).to.include(cli.dataDir);
  });

  it("ends a start where one file is another's", async () => {
    chownSync(join(cli.dataDir, "log.sqlite"), 0, 0);
    const { code, stdout, stderr } = await cli.startProcess(["serve"], {}, { uid: owner }).ended;
    expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: "" });
    expect(stderr).to.include(`log.sqlite belongs to the user with the id 0, and this process runs as ${owner}`);
  });
});
