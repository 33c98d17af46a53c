import { parseArgs } from "node:util";
import { aborted, onInterrupt } from "../src/cli/signals.js";
import { people } from "./company.js";
import { say } from "./presentation.js";
import { startServiceUnderDemo } from "./serviceUnderDemo.js";
import { invite, tell } from "./story.js";

const usage = "Usage: npm run demo [-- --once] [-- --port N]   (--once ends after the story instead of leaving the service running)";

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
}

/** null: asked in a way that cannot be done. */
function readOptions(): DemoOptions | null {
  try {
    const { once, port } = parseArgs({ options: { once: { type: "boolean" }, port: { type: "string" } } }).values;
    if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) return null;
    return { once: once === true, port: port === undefined ? null : Number(port) };
  } catch {
    return null;
  }
}

async function run({ once, port }: DemoOptions): Promise<void> {
  const interrupted = onInterrupt();
  const service = await startServiceUnderDemo(port, people, interrupted);
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
  say(`\n${once && !interrupted.aborted ? "The service has ended and its data is removed. Without --once it stays, for you to try." : "Ended; its data is removed."}`);
}
