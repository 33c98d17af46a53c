import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { version as programVersion } from "../../src/version.js";
import { repositoryRoot, textOf } from "../support/repositoryFiles.js";
import { CommandLine } from "./commandLine.js";

const commands = [
  ["serve"],
  ["account", "create"],
  ["account", "list"],
  ["account", "roles"],
  ["account", "link"],
  ["account", "disable"],
  ["account", "enable"],
  ["service-account", "create"],
  ["service-account", "list"],
  ["service-account", "rotate"],
  ["service-account", "revoke"],
  ["api-key", "create"],
  ["api-key", "list"],
  ["api-key", "revoke"],
  ["agent", "create"],
  ["agent", "list"],
  ["agent", "show"],
  ["agent", "update"],
  ["agent", "delete"],
  ["import"],
  ["events"],
  ["audit", "access"],
  ["audit", "who"],
  ["audit", "what"],
  ["audit", "history"],
  ["audit", "exposure"],
  ["audit", "what-if"],
  ["audit", "export"],
  ["audit", "verify"],
  ["audit", "public-key"],
  ["audit", "web-queries"],
  ["projections", "status"],
  ["projections", "rebuild"],
  ["projections", "rollback"],
  ["projections", "drop"],
  ["projections", "pause"],
  ["projections", "resume"],
  ["projections", "verify"],
  ["projections", "parked", "list"],
  ["projections", "parked", "show"],
  ["projections", "parked", "retry"],
  ["projections", "parked", "discard"],
  ["undo"],
  ["backup"],
  ["restore"],
];

describe("the command line", function () {
  this.timeout(180_000);
  let cli: CommandLine;
  before(async () => (cli = await CommandLine.onFreshFolder()));
  after(() => cli.clear());

  it("names its commands and its exit codes", async () => {
    const { code, stdout, stderr } = await cli.startProcess(["--help"]).ended;
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
    for (const [name = ""] of commands) expect(stdout).to.include(`\n  ${name}`);
    expect(stdout).to.include("Exit codes: 0 done, 1 failed, 2 asked in a way that cannot be done.");
  });

  it("names the projections that a command can be about", async () => {
    const { stdout } = await cli.run("projections", "rebuild", "--help");
    expect(stdout.replace(/\s+/g, " ")).to.include("search, groupClosure, catalogue, credentials, permissionHistory ");
    expect(stdout, "a reaction is not built anew").to.not.include("contentErasure");
    expect((await cli.run("projections", "pause", "--help")).stdout).to.include("contentErasure");
  });

  it("shows an example of every command", async () => {
    const helps = await Promise.all(commands.map((command) => cli.run(...command, "--help")));
    for (const [index, { code, stdout }] of helps.entries()) {
      expect(code).to.equal(0);
      expect(stdout).to.match(new RegExp(`Examples?:\n.*enterprise-search ${commands[index]?.join(" ")}`));
    }
  });

  it("tells its version", async () => {
    expect(await cli.startProcess(["--version"]).ended).to.deep.include({ code: 0, stdout: `${programVersion}\n` });
  });

  const misuses: readonly (readonly [string, readonly string[], string])[] = [
    ["an unknown command", ["serv"], "unknown command 'serv'"],
    ["an unknown option", ["events", "--fellow"], "unknown option '--fellow'"],
    ["a missing option", ["api-key", "create"], "required option '--email <email>' not specified"],
    ["an email that is none", ["api-key", "create", "--email", "ada"], "It is not an email address."],
    [
      "a day that does not exist",
      ["api-key", "create", "--email", "a@b.c", "--expires", "2999-02-30"],
      "Write a day, 2030-01-31, or an instant",
    ],
    [
      "a time without a zone",
      ["api-key", "create", "--email", "a@b.c", "--expires", "2999-02-03T10:00:00"],
      "Write a day, 2030-01-31, or an instant",
    ],
    [
      "an instant that has passed",
      ["service-account", "create", "--name", "x", "--expires", "2001-01-01"],
      "It lies in the past.",
    ],
    [
      "a datasource that cannot exist",
      ["service-account", "create", "--name", "x", "--datasource", "My-Wiki"],
      "A datasource is named in lower-case letters",
    ],
    [
      "an unknown category",
      ["events", "--category", "people"],
      "Allowed choices are datasource, groupGraph, user, document, serviceAccount, apiKey, projection, auditQuestion, syncRun, groupMembers, file, agent, answer, account, session.",
    ],
    [
      "a folder that is not there",
      ["import", "./nowhere", "--datasource", "wiki"],
      "The folder ./nowhere cannot be opened",
    ],
    [
      "an address without a token",
      ["import", ".", "--datasource", "wiki", "--url", "http://127.0.0.1:1"],
      "--url needs the token of a service account there",
    ],
    [
      "two answers to who may see the files",
      ["import", ".", "--datasource", "wiki", "--anonymous", "--acl", "x"],
      "cannot be used with option",
    ],
  ];
  for (const [what, args, sentence] of misuses) {
    it(`refuses ${what} with 2 and a sentence`, async () => {
      const { code, stdout, stderr } = await cli.run(...args);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: "" });
      expect(stderr).to.include(sentence);
    });
  }

  it("prints a failure as one JSON object where JSON was asked for", async () => {
    const { code, stdout } = await cli.startProcess(["api-key", "create", "--email", "ada", "--json"]).ended;
    expect(code).to.equal(2);
    expect(JSON.parse(stdout)).to.have.all.keys("error");
  });

  it("says what to do where it has not been built", async () => {
    const folder = join(cli.dataDir, "unbuilt/bin");
    await cp(binFolder, folder, { recursive: true });
    expect(await ranBy(join(folder, "enterprise-search.js"))).to.deep.equal([
      1,
      "enterprise-search has not been built yet. Run `npm run build` in its folder first.\n",
    ]);
  });

  for (const [file, version] of [
    ["enterprise-search.js", "v20.18.3"],
    ["requireNode.js", "v22.12.0"],
    ["requireNode.js", "v21.7.3"],
    ["requireNode.js", "v18.20.8"],
  ] as const) {
    it(`says in a sentence that Node ${version} is too old, in words that every Node understands: ${file}`, async () => {
      const older = `data:text/javascript,Object.defineProperty(process,"version",{value:"${version}"})`;
      expect(await ranBy("--import", older, join(binFolder, file), "--help")).to.deep.equal([
        1,
        `enterprise-search needs Node 20.19, 22.13 or newer, and this is ${version}. Install a newer one from https://nodejs.org, then run the command again.\n`,
      ]);
      expect(textOf(`bin/${file}`)).to.not.match(/\b(const|let|class|async)\b|\bimport\(|=>|,\n *\)|`\$/);
    });
  }

  it("takes every Node that package.json asks for, which `npm ci` holds it to", async () => {
    const { engines } = JSON.parse(textOf("package.json")) as { engines: { node: string } };
    expect(engines.node).to.equal("^20.19 || >=22.13");
    expect(textOf(".npmrc")).to.equal("engine-strict=true\n");
    for (const version of ["v20.19.0", "v22.13.0", "v23.0.0", "v24.0.0"]) {
      const other = `data:text/javascript,Object.defineProperty(process,"version",{value:"${version}"})`;
      expect(await ranBy("--import", other, join(binFolder, "requireNode.js"))).to.deep.equal([undefined, ""]);
    }
  });
});

const binFolder = join(repositoryRoot, "bin");

/** Exit code and stderr of a program. */
const ranBy = (...args: readonly string[]): Promise<readonly [unknown, string]> =>
  new Promise((resolve) => execFile(process.execPath, args, (error, _, text) => resolve([error?.code, text])));
