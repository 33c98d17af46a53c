import { statSync } from "node:fs";

/** Differs from before where the path names another file by now; empty where it names none. */
export function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev}:${found.ino}`;
}
