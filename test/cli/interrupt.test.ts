import { readdir } from "node:fs/promises";
import { expect } from "chai";
import { CommandLine } from "./commandLine.js";

describe("a command that is interrupted", () => {
  let cli: CommandLine;
  let files: readonly string[];
  /**
   * Of the data folder. What SQLite keeps beside a read model stays where a reader was the last to close it, and
   * whoever runs for more than a second keeps room on the disk.
   */
  const filesThere = async (): Promise<readonly string[]> => {
    const names = await readdir(cli.dataDir, { recursive: true });
    return names.filter((name) => name.startsWith("log.") || !/-(wal|shm)$|^disk-reserve$/.test(name)).sort();
  };

  before(async () => {
    cli = await CommandLine.onFreshFolder();
    expect((await cli.run("projections", "verify", "search")).code).to.equal(0);
    files = await filesThere();
    expect(files.filter((name) => name.startsWith("log."))).to.deep.equal(["log.sqlite"]);
  });
  after(() => cli.clear());

  for (const args of [
    ["service-account", "create", "--name", "sync"],
    ["projections", "verify", "search"],
    ["undo", "--from", "1", "--to", "9", "--credential", "operator"],
  ]) {
    it(`ends with 1 and says so, and has neither written nor left anything: ${args.join(" ")}`, async () => {
      const command = cli.start(args);
      command.signal("SIGINT");
      expect(await command.ended).to.deep.equal({ code: 1, stdout: "", stderr: "It was interrupted (SIGINT).\n" });
      expect(await filesThere()).to.deep.equal(files);
    });
  }

  it("has done what it was asked for where it was to go on until then, and leaves nothing either", async () => {
    const watching = cli.startProcess(["projections", "status", "--watch", "--json"]);
    await watching.printed(/"projections":/);
    watching.signal("SIGINT");
    expect(await watching.ended).to.deep.include({ code: 0, stderr: "" });
    expect(await filesThere()).to.deep.equal(files);
    expect((await cli.runForJson<{ events: object[] }>("events")).events).to.deep.equal([]);
  });
});
