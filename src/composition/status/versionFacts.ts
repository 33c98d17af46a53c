import { stat } from "node:fs/promises";
import { readSearchFacts } from "../../adapters/searchIndex/typesense/readSearchFacts.js";
import { readProjectionFacts } from "../../adapters/sqlite/readProjectionFacts.js";
import { openRedisProjectionFacts, type RedisProjectionFacts } from "../../adapters/readStore/redis/openRedisProjectionFacts.js";
import type { ProjectionName } from "../../events/projection.js";
import type { Position } from "../../shared/position.js";
import { dataFiles } from "../dataFiles.js";
import type { ProjectorConfig } from "../projectors.js";
import { typesenseOf } from "../searchEngine.js";
import { fileOf, namespaceOf } from "../versionPlaces.js";

/** What an engine holds of one version. */
export interface VersionFacts {
  readonly position: Position;
  readonly parked: number;
  /** null: the engine does not tell. */
  readonly sizeBytes: number | null;
}

/** Looks at versions where they are stored, whether anybody serves them or not. */
export class VersionInspector {
  private redis: Promise<RedisProjectionFacts> | null = null;

  constructor(private readonly config: ProjectorConfig) {}

  /** null where the engine does not answer. */
  async look(name: ProjectionName, version: number): Promise<VersionFacts | null> {
    try {
      return name === "search" ? await this.search(version) : await this.small(name, version);
    } catch {
      return null;
    }
  }

  async close(): Promise<void> {
    (await this.redis?.catch(() => null))?.close();
  }

  private async search(version: number): Promise<VersionFacts> {
    const server = typesenseOf(this.config, version);
    if (server !== null) return { ...(await readSearchFacts(server, server.namespace)), sizeBytes: null };
    return inFile(fileOf(this.config.dataDir, { name: "search", version }), "search");
  }

  private async small(name: Exclude<ProjectionName, "search">, version: number): Promise<VersionFacts> {
    const { redisUrl: url, namespace, dataDir } = this.config;
    if (url === null) return inFile(name === "contentErasure" ? dataFiles(dataDir).readModels : fileOf(dataDir, { name, version }), name);
    const redis = await (this.redis ??= this.connect(url));
    return { ...(await redis.read(name === "contentErasure" ? namespace : namespaceOf(namespace, { name, version }), name)), sizeBytes: null };
  }

  /** Tried again at the next look where it fails. */
  private async connect(url: string): Promise<RedisProjectionFacts> {
    try {
      return await openRedisProjectionFacts({ url, namespace: this.config.namespace });
    } catch (error) {
      this.redis = null;
      throw error;
    }
  }
}

async function inFile(file: string, projection: ProjectionName): Promise<VersionFacts> {
  return { ...readProjectionFacts({ file, projection }), sizeBytes: await sizeOf(file) };
}

/** With what SQLite has not copied into it yet. */
async function sizeOf(file: string): Promise<number> {
  const sizes = await Promise.all([file, `${file}-wal`].map((path) => stat(path).then(({ size }) => size, () => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}
