import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { ProjectionState } from "../../commands/projection/versions.js";
import { dropSqliteReadModel } from "../adapters/store/sqlite/dropSqliteReadModel.js";
import { firstVersion, type ReadModelName } from "../events/projection.js";
import { dataFiles } from "./dataFiles.js";
import { isAheadOfLive } from "./localHistory.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import type { ProjectorConfig } from "./projectors.js";
import type { SmallReadModelName } from "./readModelEngine.js";
import { typesenseOf } from "./searchEngine.js";
import { fileOf, namespaceOf, type ReadModelVersion } from "./versionPlaces.js";

/** So long after a version was dropped its readers, wherever they are, have gone over to another one. */
const graceMs = 5_000;

/** Versions that there were once and that nobody needs any more. */
export function droppedVersions({ newest, live, kept, underWay }: ProjectionState): readonly number[] {
  const numbers = Array.from({ length: newest }, (_, index) => firstVersion + index);
  return numbers.filter((version) => version !== live && version !== underWay?.version && !kept.includes(version));
}

export interface VersionSweeping {
  readonly config: ProjectorConfig;
  /** Of which this process frees versions. */
  readonly names: readonly ReadModelName[];
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
}

/**
 * Frees what dropped versions have stored. Doing it again does no harm, so whoever projects does it at the start as
 * well.
 */
export class VersionSweeper {
  private readonly stopping = new AbortController();
  private readonly freed = new Set<string>();
  private readonly unsubscribe: () => void;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly sweeping: VersionSweeping) {
    const { names, feed } = sweeping;
    this.unsubscribe = feed.onChange((changed) => this.sweep(names.filter((name) => name === changed)));
    this.sweep(names);
  }

  /** Resolves once what was dropped so far has been freed. */
  idle(): Promise<void> {
    return this.last;
  }

  async close(): Promise<void> {
    this.unsubscribe();
    this.stopping.abort();
    await this.last;
  }

  private sweep(names: readonly ReadModelName[]): void {
    const due = names
      .flatMap((name) => droppedVersions(this.sweeping.feed.of(name)).map((version) => ({ name, version })))
      .filter((version) => !this.freed.has(keyOf(version)));
    if (due.length === 0) return;
    for (const version of due) this.freed.add(keyOf(version));
    this.last = Promise.all([this.last, this.freeAll(due)]).then(() => undefined);
  }

  private async freeAll(due: readonly ReadModelVersion[]): Promise<void> {
    const isOver = await sleep(graceMs, false, { signal: this.stopping.signal }).catch(() => true);
    for (const version of isOver ? [] : due) {
      try {
        if (this.isStillUsed(version)) this.lookAgain(version);
        else await freeVersion(this.sweeping.config, version);
      } catch (error) {
        this.freed.delete(keyOf(version));
        this.sweeping.logger.warn(
          { err: error, ...version },
          "What a dropped version has stored could not be freed; it is tried again later.",
        );
      }
    }
  }

  /** In this data folder it may stand in for the live one, which another process has activated. */
  private isStillUsed({ name, version }: ReadModelVersion): boolean {
    const { config, feed } = this.sweeping;
    return name === "permissionHistory" && isAheadOfLive(config.dataDir, version, feed.of(name));
  }

  private lookAgain(version: ReadModelVersion): void {
    this.freed.delete(keyOf(version));
    this.sweep([version.name]);
  }
}

const keyOf = ({ name, version }: ReadModelVersion): string => `${name}-${version}`;

/** Frees the storage of one version, which nobody serves or projects. */
export async function freeVersion(config: ProjectorConfig, version: ReadModelVersion): Promise<void> {
  if (version.name === "search") return freeSearch(config, version);
  if (version.name === "permissionHistory") return removeDatabase(fileOf(config.dataDir, version));
  const { name, redisUrl: url, namespace, dataDir } = { ...config, name: version.name as SmallReadModelName };
  const isFirst = version.version === firstVersion;
  if (url !== null) {
    const { dropRedisNamespace, dropRedisReadModel } = await import("./redisAdapters.js");
    return isFirst
      ? dropRedisReadModel({ url, namespace, readModel: name })
      : dropRedisNamespace({ url, namespace: namespaceOf(namespace, version) });
  }
  if (!isFirst) return removeDatabase(fileOf(dataDir, version));
  const { readModels: file } = dataFiles(dataDir);
  if (existsSync(file)) await dropSqliteReadModel({ file, readModel: name });
}

async function freeSearch(config: ProjectorConfig, version: ReadModelVersion): Promise<void> {
  const server = typesenseOf(config, version.version);
  if (server === null) return removeDatabase(fileOf(config.dataDir, version));
  const { dropSearchCollections } = await import("./typesenseAdapters.js");
  await dropSearchCollections(server, server.namespace);
}

/** A file with what SQLite keeps beside it. Whoever has it open still reads what it held. */
async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) await rm(`${file}${suffix}`, { force: true });
}
