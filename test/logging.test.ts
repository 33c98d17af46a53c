import { execFile, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect } from "chai";
import { RepeatedErrors } from "../src/logging.js";
import { textOf } from "./support/repositoryFiles.js";

const logging = new URL("../src/logging.js", import.meta.url).href;

const runScript = promisify(execFile);

const programOf = (script: string): string[] => [
  "--input-type=module",
  "--eval",
  `import { createLogger } from ${JSON.stringify(logging)}; ${script}`,
];

/** Lines that a process logs before it ends. */
async function logged(script: string): Promise<Record<string, unknown>[]> {
  const { stdout, stderr } = await runScript(process.execPath, programOf(script));
  return (stdout || stderr)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** What a process prints to the log, as it is. */
const printed = async (script: string): Promise<string> =>
  (await runScript(process.execPath, programOf(script))).stdout;

/** A process whose `logger` writes to its error output, which is a pipe. */
function loggingToStderr(script: string): ChildProcessWithoutNullStreams {
  const program = `const logger = createLogger({ logLevel: "info", logTo: "stderr" }); ${script}`;
  return spawn(process.execPath, programOf(program), { stdio: "pipe" });
}

describe("the log", () => {
  it("loses no line when the process ends by itself or by exit", async () => {
    for (const end of ["", "process.exit(0);"]) {
      const lines = await logged(
        `const logger = createLogger({ logLevel: "info" }); for (let i = 0; i < 100; i++) logger.info({ i }, "line"); logger.debug("no"); ${end}`,
      );
      expect(lines.map(({ i }) => i)).to.deep.equal(Array.from({ length: 100 }, (_, i) => i));
      expect(lines[0]).to.have.keys("level", "time", "version", "i", "msg");
    }
  });

  it("waits for nobody who reads it: lines are dropped, and their number told once they are read again", async () => {
    const child = loggingToStderr(
      `const text = "x".repeat(1_000);
       process.stdin.once("data", () => setInterval(() => logger.info("again"), 10));
       for (let i = 0; i < 10_000; i++) logger.info({ i, text }, "line");
       process.stdout.write("done");`,
    );
    try {
      expect(String((await once(child.stdout, "data"))[0])).to.equal("done");
      child.stdin.write("go on");
      let tail = "";
      for await (const chunk of child.stderr) {
        tail = (tail + String(chunk)).slice(-100_000);
        if (/are missing/.test(tail) && tail.endsWith("\n")) break;
      }
      const told = JSON.parse(/^.*are missing.*$/m.exec(tail)?.[0] ?? "") as Record<string, unknown>;
      expect(told["lines"]).to.be.within(1_000, 9_999);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("does not keep a process from ending whose log nobody reads any more", async () => {
    const child = loggingToStderr(
      `process.stdout.write("ready");
       process.stdin.once("data", () => { logger.info("the last line"); process.exit(3); });`,
    );
    try {
      await once(child.stdout, "data");
      child.stderr.destroy();
      child.stdin.write("end");
      expect((await once(child, "exit"))[0]).to.equal(3);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("names levels, and the version of the program", async () => {
    const { version } = JSON.parse(textOf("package.json")) as { version: string };
    const [line] = await logged(`createLogger({ logLevel: "info" }).child({ a: 1 }).warn("careful");`);
    expect(line).to.include({ level: "warn", version, a: 1, msg: "careful" });
  });

  it("is written for people where it is asked for that", async () => {
    const text = await printed(
      `const logger = createLogger({ logLevel: "info", logFormat: "pretty" });
       logger.info({ method: "GET", route: null, ms: 1.5, note: "two words" }, "request");
       logger.error({ err: new Error("broken", { cause: new Error("below") }) }, "failed");`,
    );
    const lines = text.split("\n");
    expect(lines[0]).to.match(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}request method=GET route=null ms=1\.5 note="two words"$/);
    expect(lines[1]).to.match(/ ERROR failed$/);
    expect(lines[2]).to.equal("    Error: broken");
    expect(text).to.include("    caused by\n    Error: below");
  });

  it("has one line for an error that keeps coming, and none for each time", async () => {
    const lines = await logged(
      `const logger = createLogger({ logLevel: "error" });
       const full = () => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
       for (let i = 0; i < 50; i++) logger.error({ err: full() }, "waits");
       logger.child({ projection: "search" }).error({ err: full() }, "waits");
       logger.error({ err: new Error("another") }, "waits");`,
    );
    expect(lines.map(({ projection, err }) => [projection, (err as Error).message])).to.deep.equal([
      [undefined, "database or disk is full"],
      ["search", "database or disk is full"],
      [undefined, "another"],
    ]);
  });

  it("says what went wrong without an error's other properties", async () => {
    const [line] = await logged(
      `const error = Object.assign(new Error("broken", { cause: new TypeError("below") }), { code: "SQLITE_FULL", sql: "secret" });
       createLogger({ logLevel: "error", logTo: "stderr" }).error({ err: error }, "failed");`,
    );
    expect(line).to.deep.nested.include({
      "err.type": "Error",
      "err.message": "broken",
      "err.code": "SQLITE_FULL",
      "err.cause.type": "TypeError",
      "err.cause.message": "below",
    });
    expect(JSON.stringify(line?.["err"])).not.to.contain('secret"');
    expect(line?.["err"]).to.have.keys("type", "message", "stack", "code", "cause");
  });
});

describe("an error that keeps coming", () => {
  it("is told with a growing pause, up to a minute, and how often it came; after a long pause it is new", () => {
    let now = 0;
    const errors = new RepeatedErrors(() => now);
    const told: (readonly [number, number])[] = [];
    for (; now < 200_000; now += 500) {
      const repeated = errors.note("full");
      if (repeated !== null) told.push([now / 1_000, repeated]);
    }
    expect(told).to.deep.equal([
      [0, 0],
      [1, 1],
      [3, 3],
      [7, 7],
      [15, 15],
      [31, 31],
      [63, 63],
      [123, 119],
      [183, 119],
    ]);
    now = 183_000 + 60_000 + 60_001;
    expect(errors.note("full")).to.not.equal(null);
    now += 999;
    expect(errors.note("full")).to.equal(null);
    now += 1;
    expect(errors.note("full")).to.equal(1);
  });

  it("is not confused with others", () => {
    const errors = new RepeatedErrors(() => 0);
    expect([errors.note("a"), errors.note("b"), errors.note("a")]).to.deep.equal([0, 0, null]);
  });
});
