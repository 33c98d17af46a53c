import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { repositoryFiles, repositoryRoot, textOf } from "./architecture/sourceFiles.js";
import { newDataDir } from "./support/startService.js";
import { freePort } from "./support/freePort.js";

const limitMs = 5 * 60_000;

/** What is not run as it is written, and why. Everything else in README's blocks is. */
const otherwise: Readonly<Record<string, string>> = {
  "npm ci": ": # the copy has the installed packages already",
  "npm test": ": # this is a part of it",
  "npm run demo": "npm run demo -- --once # else it goes on until Ctrl-C",
  "npm start": "npm start > server.log & until curl -sf $URL/health/ready > /dev/null; do :; done # in another terminal",
};

describe("README's commands", () => {
  let folder: string;

  before(async () => {
    folder = newDataDir();
    for (const file of repositoryFiles()) await cp(join(repositoryRoot, file), join(folder, file));
    await cp(join(repositoryRoot, "dist"), join(folder, "dist"), { recursive: true });
    await symlink(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("work, in the order in which they are written, in a copy of the repository", async function () {
    this.timeout(limitMs + 30_000);
    const blocks = blocksOf(textOf("README.md"));
    expect(blocks.length).to.be.greaterThan(4);
    const { code, output } = await runBash(scriptOf(blocks), folder, await freePort());
    expect(code, output).to.equal(0);
    expect(output).to.contain("wiki__leave.md").and.to.contain('"has_access":false');
  });
});

interface Block {
  readonly language: string;
  readonly text: string;
}

/** Commands stand in `console` blocks, each after `$ `; scripts in `bash` blocks. */
function blocksOf(readme: string): Block[] {
  return [...readme.matchAll(/^```(console|bash)\n([\s\S]*?)^```/gm)].map(([, language = "", text = ""]) => ({ language, text }));
}

function scriptOf(blocks: readonly Block[]): string {
  const steps = blocks.flatMap(({ language, text }) => (language === "bash" ? [text] : commandsOf(text).map((command) => otherwise[command] ?? command)));
  return ["set -euo pipefail", "trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT", "set -x", ...steps].join("\n");
}

const commandsOf = (text: string): string[] => [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command.trim());

/** Ends whatever is still running after a while, so that a failure shows how far it came. */
async function runBash(script: string, cwd: string, port: number): Promise<{ code: number | null; output: string }> {
  const { PATH, HOME, npm_config_userconfig } = process.env;
  const env = { PATH, HOME, npm_config_userconfig, PORT: String(port), URL: `http://127.0.0.1:${port}`, CI: "true" };
  const bash = spawn("bash", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const limit = setTimeout(() => process.kill(-(bash.pid ?? 0), "SIGKILL"), limitMs);
  let output = "";
  for (const stream of [bash.stdout, bash.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [code] = (await once(bash, "close")) as [number | null];
  clearTimeout(limit);
  return { code, output };
}
