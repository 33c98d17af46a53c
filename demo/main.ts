import { parseArgs } from "node:util";
import { aborted, onInterrupt } from "../src/cli/signals.js";
import { people } from "./company.js";
import { say } from "./presentation.js";
import { startServiceUnderDemo } from "./serviceUnderDemo.js";
import { invite, tell } from "./story.js";

const usage = `Usage: npm run demo [-- --once] [-- --port N] [-- --data FOLDER]
  --once         ends after the story instead of leaving the service running
  --data FOLDER  keeps the data in this new folder, for the command line to work on with DATA_DIR=FOLDER`;

const options = readOptions();
if (options === null) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  await run(options).catch((error: unknown) => {
    process.stderr.write(`The demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}

interface DemoOptions {
  readonly once: boolean;
  /** null: not said. */
  readonly port: number | null;
  /** A folder that stays; null: a temporary one. */
  readonly data: string | null;
}

/** null: asked in a way that cannot be done. */
function readOptions(): DemoOptions | null {
  try {
    const { once, port, data } = parseArgs({
      options: { once: { type: "boolean" }, port: { type: "string" }, data: { type: "string" } },
    }).values;
    if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) return null;
    return { once: once === true, port: port === undefined ? null : Number(port), data: data ?? null };
  } catch {
    return null;
  }
}

async function run({ once, port, data }: DemoOptions): Promise<void> {
  const interrupted = onInterrupt();
  const service = await startServiceUnderDemo({ port, data, people }, interrupted);
  try {
    await tell(service);
    if (!once) {
      invite(service);
      await aborted(interrupted);
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
  } finally {
    await service.end();
  }
  const left = data === null ? "its data is removed" : `its data stays in ${data}`;
  say(
    `\n${once && !interrupted.aborted ? `The service has ended and ${left}. Without --once it stays, for you to try.` : `Ended; ${left}.`}`,
  );
}
