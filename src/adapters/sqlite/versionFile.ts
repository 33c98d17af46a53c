import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Storage, VersionFacts } from "../../daemon/ports.js";
import { firstVersion, type ProjectionName } from "../../events/projection.js";
import { identityOf } from "./fileIdentity.js";
import { readFileCheckpoint, readProjectionFacts } from "./readProjectionFacts.js";
import { setAside } from "./setAside.js";

/** Which read model's versions lie where. */
export interface VersionFiles {
  readonly dataDir: string;
  readonly name: ProjectionName;
  /** The file of the first version. The small read models share one. */
  readonly first: string;
}

/** The SQLite file that holds a version. */
export const versionFile = ({ dataDir, name, first }: VersionFiles, version: number): string =>
  join(dataDir, version === firstVersion ? first : `${name}-${version}.sqlite`);

/** What all storages in files do alike. */
export const storedInFiles = (
  projection: ProjectionName,
  fileOf: (version: number) => string,
): Pick<Storage<never, never>, "facts" | "checkpoint" | "identity" | "setAside"> => ({
  facts: (version) => factsOfFile(fileOf(version), projection),
  checkpoint: async (version) => readFileCheckpoint({ file: fileOf(version), projection }),
  identity: (version) => identityOf(fileOf(version)),
  setAside: async (version, identity) => setAside(fileOf(version), identity ?? ""),
});

/** What a file holds of a projection; nothing where there is no file. */
async function factsOfFile(file: string, projection: ProjectionName): Promise<VersionFacts> {
  return { ...readProjectionFacts({ file, projection }), size: { amount: await sizeOf(file), unit: "bytes" } };
}

/** Removes a file with what SQLite keeps beside it. A process that has it open still reads its contents. */
export async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) await rm(`${file}${suffix}`, { force: true });
}

/** With what SQLite has not copied into it yet. */
async function sizeOf(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
