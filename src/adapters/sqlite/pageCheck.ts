import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What the checking process ends with where a page is damaged. */
export const damagedCode = 3;

/**
 * Reads every page of a file, and says whether one of them is damaged; false where nobody can tell. SQLite finds what
 * breaks its structure and that of full-text indexes, and no change of a text or a number that leaves it whole. A
 * process of its own does it, since a reading SQLite cannot be stopped otherwise: it ends when the signal aborts.
 */
export async function hasDamagedPages(file: string, signal: AbortSignal): Promise<boolean> {
  const entry = fileURLToPath(new URL("./pageCheckProcess.js", import.meta.url));
  const child = spawn(process.execPath, [entry, file], { stdio: "ignore", signal, killSignal: "SIGKILL" });
  const [code] = (await once(child, "exit").catch(() => [null])) as [number | null];
  return code === damagedCode;
}
