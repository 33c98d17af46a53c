import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LiveLoad, LiveLoads } from "../../../projections/ports.js";

/** What nobody tells any more is removed by whoever lists it after so long. */
const keptMs = 60_000;
const ending = ".json";

/**
 * A small file for each process, in a folder that they share. Nothing waits for anything: no lock, and no disk either.
 */
export const openFolderLiveLoads = ({ folder }: { readonly folder: string }): LiveLoads => ({
  tell: async (process, load) => {
    await mkdir(folder, { recursive: true });
    const file = join(folder, process);
    await writeFile(file, JSON.stringify(load));
    await rename(file, `${file}${ending}`);
  },
  list: async () => {
    const names = await readdir(folder).catch(() => []);
    const loads = await Promise.all(names.filter((name) => name.endsWith(ending)).map((name) => read(folder, name)));
    return new Map(loads.filter((load) => load !== null));
  },
  close: () => undefined,
});

/** null: gone by now, or long over. */
async function read(folder: string, name: string): Promise<readonly [string, LiveLoad] | null> {
  const file = join(folder, name);
  try {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs < keptMs)
      return [name.slice(0, -ending.length), JSON.parse(await readFile(file, "utf8")) as LiveLoad];
    await rm(file, { force: true });
    return null;
  } catch {
    return null;
  }
}
