import { stat } from "node:fs/promises";
import { readProjectionFacts } from "../../adapters/sqlite/readProjectionFacts.js";
import type { RedisProjectionFacts } from "../../adapters/store/redis/openRedisProjectionFacts.js";
import type { ProjectionName } from "../../events/projection.js";
import type { StoredSize } from "../../readModels/projectionStatus.js";
import type { Position } from "../../shared/position.js";
import { dataFiles } from "../../composition/dataFiles.js";
import type { DutiesConfig } from "../../composition/duties.js";
import { messageOf } from "../../composition/projectorGroup.js";
import type { ProjectorConfig } from "../../composition/projectors.js";
import { typesenseOf } from "../../composition/searchEngine.js";
import { fileOf, namespaceOf } from "../../composition/versionPlaces.js";

/** What an engine holds of one version. */
export interface VersionFacts {
  readonly position: Position;
  readonly parked: number;
  /** null: the engine does not tell. */
  readonly size: StoredSize | null;
}

const keptElsewhere =
  "With Redis each process that answers requests keeps a permission history of its own, and this one only projects. Ask one of those.";

/** What there is to be told where an engine does not answer: why. */
export interface NoFacts {
  readonly failure: string;
}

export const factsIn = (found: VersionFacts | NoFacts): VersionFacts | null => ("failure" in found ? null : found);

/** Looks at versions where they are stored, whether anybody serves them or not. */
export class VersionInspector {
  private redis: Promise<RedisProjectionFacts> | null = null;

  constructor(private readonly config: ProjectorConfig & DutiesConfig) {}

  async look(name: ProjectionName, version: number): Promise<VersionFacts | NoFacts> {
    try {
      if (name === "permissionHistory") return await this.history(version);
      return name === "search" ? await this.search(version) : await this.small(name, version);
    } catch (error) {
      return { failure: messageOf(error) };
    }
  }

  async close(): Promise<void> {
    (await this.redis?.catch(() => null))?.close();
  }

  private async search(version: number): Promise<VersionFacts> {
    const server = typesenseOf(this.config, version);
    if (server !== null) {
      const { readSearchFacts } = await import("../../composition/typesenseAdapters.js");
      const { documents, ...facts } = await readSearchFacts(server, server.namespace);
      return { ...facts, size: { amount: documents, unit: "documents" } };
    }
    return inFile(fileOf(this.config.dataDir, { name: "search", version }), "search");
  }

  private async history(version: number): Promise<VersionFacts | NoFacts> {
    const { dataDir, redisUrl, role } = this.config;
    if (redisUrl !== null && role === "projector") return { failure: keptElsewhere };
    return inFile(fileOf(dataDir, { name: "permissionHistory", version }), "permissionHistory");
  }

  private async small(
    name: Exclude<ProjectionName, "search" | "permissionHistory">,
    version: number,
  ): Promise<VersionFacts> {
    const { redisUrl: url, namespace, dataDir } = this.config;
    if (url === null)
      return inFile(
        name === "contentErasure" ? dataFiles(dataDir).readModels : fileOf(dataDir, { name, version }),
        name,
      );
    const redis = await (this.redis ??= this.connect(url));
    const { bytes, ...facts } = await redis.read(
      name === "contentErasure" ? namespace : namespaceOf(namespace, { name, version }),
      name,
    );
    return { ...facts, size: bytes === null ? null : bytesOf(bytes) };
  }

  /** Tried again at the next look where it fails. */
  private async connect(url: string): Promise<RedisProjectionFacts> {
    try {
      const { openRedisProjectionFacts } = await import("../../composition/redisAdapters.js");
      return await openRedisProjectionFacts({ url, namespace: this.config.namespace });
    } catch (error) {
      this.redis = null;
      throw error;
    }
  }
}

const bytesOf = (amount: number): StoredSize => ({ amount, unit: "bytes" });

async function inFile(file: string, projection: ProjectionName): Promise<VersionFacts> {
  return { ...readProjectionFacts({ file, projection }), size: bytesOf(await sizeOf(file)) };
}

/** Includes what SQLite has not copied into the file yet. */
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
