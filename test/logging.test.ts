import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";

const logging = new URL("../src/logging.js", import.meta.url).href;

/** Lines that a process logs before it ends. */
async function logged(script: string): Promise<Record<string, unknown>[]> {
  const program = `import { createLogger } from ${JSON.stringify(logging)}; ${script}`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return (stdout || stderr)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the log", () => {
  it("loses no line when the process ends by itself or by exit", async () => {
    for (const end of ["", "process.exit(0);"]) {
      const lines = await logged(
        `const logger = createLogger({ logLevel: "info" }); for (let i = 0; i < 100; i++) logger.info({ i }, "line"); logger.debug("no"); ${end}`,
      );
      expect(lines.map(({ i }) => i)).to.deep.equal(Array.from({ length: 100 }, (_, i) => i));
      expect(lines[0]).to.have.keys("level", "time", "i", "msg");
    }
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
