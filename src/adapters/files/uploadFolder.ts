import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { UploadPlace } from "../../http/ports.js";

/** No upload takes so long. */
const oldMs = 24 * 60 * 60_000;

/**
 * The folder in which uploads and large bodies lie while they come. Processes may share it; what is in it is for this
 * user alone.
 */
export class UploadFolder {
  private readonly folder: string;
  private readonly own = `${hostname().replaceAll(/[^A-Za-z0-9.-]/g, "_")}_`;

  constructor(dataDir: string) {
    this.folder = join(dataDir, "uploads");
  }

  async make(): Promise<UploadPlace> {
    const path = join(this.folder, `${this.own}${process.pid}_${randomUUID()}`);
    await mkdir(path, { recursive: true, mode: 0o700 });
    const remove = (): Promise<void> => removed(path);
    return { path, remove };
  }

  /**
   * Removes what processes of this machine left that are gone, and what is a day old. For the start, when none of it is
   * this process's own.
   */
  async clear(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names) {
      const path = join(this.folder, name);
      if (this.isLeft(name) || (await isOld(path))) await removed(path);
    }
  }

  private isLeft(name: string): boolean {
    const pid = Number(name.startsWith(this.own) ? name.slice(this.own.length).split("_")[0] : Number.NaN);
    return Number.isInteger(pid) && (pid === process.pid || !isAlive(pid));
  }
}

const removed = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => undefined);

const isOld = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > oldMs,
    () => false,
  );

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
