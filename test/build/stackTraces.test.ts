import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { expect } from "chai";

const root = new URL("../../../", import.meta.url);
const program = fileURLToPath(new URL("bin/enterprise-search.js", root));

/** The text of the first line of a source file that a stack trace names. */
function firstSourceLine(stack: string): { readonly file: string; readonly text: string } {
  const [, file = "", line] = /\/((?:src|commands)\/[^:\s]+\.ts):(\d+):\d+/.exec(stack) ?? [];
  expect(file, stack).to.not.equal("");
  return { file, text: readFileSync(new URL(file, root), "utf8").split("\n")[Number(line) - 1] ?? "" };
}

describe("stack traces of the bundled program", () => {
  it("name the line of the source file that threw", async () => {
    const breakOutput = `data:text/javascript,const { stdout } = process;
      setInterval(() => stdout.listenerCount("error") > 0 && stdout.emit("error", null));`;
    const run = promisify(execFile)(process.execPath, ["--import", breakOutput, program, "--help"], {
      env: { PATH: process.env["PATH"] },
    });
    const { stderr } = await run.then(
      () => ({ stderr: "It did not fail." }),
      (error: { readonly stderr: string }) => error,
    );
    const { file, text } = firstSourceLine(stderr);
    expect(file).to.equal("src/cli/main.ts");
    expect(text).to.contain("error.code");
  });

  it("name the line of the source file that threw in a thread", async () => {
    const thread = new Worker(new URL("dist/bundle/searchThread.js", root), { execArgv: [] });
    const [error] = (await once(thread, "error")) as [Error];
    const { file, text } = firstSourceLine(error.stack ?? "");
    expect(file).to.equal("src/adapters/search/sqlite/searchThread.ts");
    expect(text).to.contain("workerData");
  });

  it("leave the lines of packages as they are, whatever their source maps name", async () => {
    const stackTraces = fileURLToPath(new URL("build/stackTraces.js", root));
    const failInside = `const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");
      try { getDocument({ data: 1 }); } catch (error) { process.stdout.write(error.stack); }`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", stackTraces, "--input-type=module", "--eval", failInside],
      { cwd: fileURLToPath(root) },
    );
    expect(stdout).to.match(/Invalid PDF binary data[^]*pdfjs-dist\/legacy\/build\/pdf\.mjs:\d+:\d+/);
  });
});
