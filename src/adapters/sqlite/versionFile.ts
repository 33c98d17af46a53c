import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { Storage, VersionFacts } from "../../daemon/ports.js";
import { firstVersion, type ProjectionName } from "../../events/projection.js";
import { identityOf } from "./fileIdentity.js";
import { hasDamagedPages } from "./pageCheck.js";
import { setAside } from "./setAside.js";
import type { Checkpoint } from "../../events/eventSource.js";
import { beginning, type Position } from "../../shared/position.js";
import { readCheckpoint } from "./checkpoints.js";

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
): Pick<Storage<never, never>, "facts" | "checkpoint" | "identity" | "setAside" | "isDamaged"> => ({
  facts: (version) => factsOfFile(fileOf(version), projection),
  checkpoint: async (version) => readFileCheckpoint({ file: fileOf(version), projection }),
  identity: (version) => identityOf(fileOf(version)),
  setAside: async (version, identity) => setAside(fileOf(version), identity ?? ""),
  isDamaged: (version, signal) => hasDamagedPages(fileOf(version), signal),
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

/** How far a projection has come in an engine, and how much of it is parked there. */
interface ProjectionFacts {
  readonly position: Position;
  readonly parked: number;
}

const busyTimeoutMs = 1_000;
const nothing: ProjectionFacts = { position: beginning, parked: 0 };

interface Place {
  readonly file: string;
  readonly projection: string;
}

/** Looks into a file of read models (`checkpointTables`) without creating it: the beginning where there is none yet. */
const readProjectionFacts = ({ file, projection }: Place): ProjectionFacts =>
  look(file, nothing, (database) => {
    const parked = database
      .prepare<[string], number>("SELECT count(*) FROM parked_events WHERE projection = ?")
      .pluck()
      .get(projection);
    return { position: readCheckpoint(database, projection).position, parked: parked ?? 0 };
  });

/** Looks for a checkpoint alone, in the same way. */
const readFileCheckpoint = ({ file, projection }: Place): Checkpoint =>
  look(file, { position: beginning, landmark: null }, (database) => readCheckpoint(database, projection));

function look<Found>(file: string, nothingThere: Found, read: (database: Database.Database) => Found): Found {
  if (!existsSync(file)) return nothingThere;
  const database = new Database(file, { readonly: true, timeout: busyTimeoutMs });
  try {
    const hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'parked_events'").get() !== undefined;
    return hasTables ? read(database) : nothingThere;
  } finally {
    database.close();
  }
}
