import type { Logger } from "pino";
import type { ProjectionTroubles } from "../../../projections/ports.js";
import { openSqliteTroubles } from "../../adapters/sqlite/openSqliteTroubles.js";
import { troubleKey, type ProjectionTrouble } from "../../readModels/projectionTrouble.js";
import { dataFiles } from "../../composition/dataFiles.js";
import type { TroubleReport } from "../../composition/projectorGroup.js";
import type { ReadModelConfig } from "../../composition/readModelEngine.js";

/** The same is not written again before. A retry follows every second. */
const writeAgainMs = 10_000;
/** What is over for so long is told no more. */
const toldMs = 24 * 60 * 60_000;
/** Nobody waits long for this. */
const connectTimeoutMs = 1_000;

/** Without Redis all processes share the data folder. */
async function openShared({ redisUrl: url, namespace, dataDir }: ReadModelConfig): Promise<ProjectionTroubles> {
  if (url === null) return openSqliteTroubles({ file: dataFiles(dataDir).troubles });
  const { openRedisTroubles } = await import("../../composition/redisAdapters.js");
  return openRedisTroubles({ url, namespace, connectTimeoutMs });
}

/** What went wrong with projections of late, here and in other processes. Where what they share is away, this process knows its own. */
export class Troubles {
  private readonly own = new Map<string, ProjectionTrouble>();
  private readonly writtenAt = new Map<string, number>();
  private readonly due = new Set<string>();
  private readonly shared: Promise<ProjectionTroubles>;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    config: ReadModelConfig,
    private readonly logger: Logger,
  ) {
    this.shared = openShared(config);
  }

  /** Written in the background; where that fails, the program's log has it all the same. */
  note({ projection, version, kind, message }: TroubleReport): void {
    const at = new Date().toISOString();
    const key = troubleKey({ projection, version, kind: kind === "parked" ? kind : "failure" });
    const known = this.own.get(key);
    if (kind !== "recovered") {
      this.own.set(key, { projection, version, kind, at, message, recoveredAt: null });
      const isRepeated = known?.message === message && known.recoveredAt === null && performance.now() - (this.writtenAt.get(key) ?? 0) < writeAgainMs;
      if (!isRepeated) this.write(key);
    } else if (known?.recoveredAt !== undefined && known.recoveredAt !== null) return;
    else {
      if (known !== undefined) this.own.set(key, { ...known, recoveredAt: at });
      this.write(key);
    }
  }

  /** The newest of each version and kind, by {@link troubleKey}. */
  async list(): Promise<ReadonlyMap<string, ProjectionTrouble>> {
    const since = new Date(Date.now() - toldMs).toISOString();
    const newest = new Map<string, ProjectionTrouble>();
    for (const trouble of [...(await this.ofOthers()), ...this.own.values()]) {
      const key = troubleKey(trouble);
      const known = newest.get(key);
      if (lastOf(trouble) >= since && (known === undefined || lastOf(known) <= lastOf(trouble))) newest.set(key, trouble);
    }
    return newest;
  }

  async close(): Promise<void> {
    await this.writing;
    (await this.shared).close();
  }

  private ofOthers(): Promise<readonly ProjectionTrouble[]> {
    return this.shared.then((shared) => shared.list()).catch(() => []);
  }

  private write(key: string): void {
    this.due.add(key);
    this.writing = this.writing.then(() => this.writeDue(key)).catch((error: unknown) => this.logger.warn({ err: error }, "What went wrong with a projection could not be told to other processes."));
  }

  /** As it is by now: what has changed meanwhile needs no writing of its own. */
  private async writeDue(key: string): Promise<void> {
    if (!this.due.delete(key)) return;
    this.writtenAt.set(key, performance.now());
    const trouble = this.own.get(key) ?? (await this.leftOpen(key));
    if (trouble !== null) await (await this.shared).record(trouble);
  }

  /** What whoever projected before has left behind is over: this process goes on. */
  private async leftOpen(key: string): Promise<ProjectionTrouble | null> {
    const left = (await this.ofOthers()).find((trouble) => troubleKey(trouble) === key && trouble.recoveredAt === null);
    if (left === undefined) return null;
    const over = { ...left, recoveredAt: new Date().toISOString() };
    this.own.set(key, over);
    return over;
  }
}

const lastOf = ({ at, recoveredAt }: ProjectionTrouble): string => recoveredAt ?? at;
