import type { Logger } from "pino";
import type { ProjectionErrors } from "../../../projections/ports.js";
import { projectionErrorKey, type RecordedProjectionError } from "../../readModels/projectionError.js";
import type { ProjectionErrorReport } from "../../daemon/projectAndLog.js";

/** The same is not written again before. A retry follows every second. */
const writeAgainMs = 10_000;
/** Errors that have been over for this long are no longer listed. */
const toldMs = 24 * 60 * 60_000;
/**
 * What went wrong with projections of late, here and in other processes. Where what they share is away, this process
 * knows its own.
 */
export class ProjectionErrorLog {
  private readonly own = new Map<string, RecordedProjectionError>();
  private readonly writtenAt = new Map<string, number>();
  private readonly due = new Set<string>();
  private writing: Promise<void> = Promise.resolve();

  /** `shared`: where all processes can read it. */
  constructor(
    private readonly shared: ProjectionErrors,
    private readonly logger: Logger,
  ) {}

  /** Written in the background; where that fails, the program's log has it all the same. */
  note({ projection, version, kind, message }: ProjectionErrorReport): void {
    const at = new Date().toISOString();
    const key = projectionErrorKey({ projection, version, kind: kind === "parked" ? kind : "failure" });
    const known = this.own.get(key);
    if (kind !== "recovered") {
      this.own.set(key, { projection, version, kind, at, message, recoveredAt: null });
      const isRepeated =
        known?.message === message &&
        known.recoveredAt === null &&
        performance.now() - (this.writtenAt.get(key) ?? 0) < writeAgainMs;
      if (!isRepeated) this.write(key);
    } else if (known?.recoveredAt !== undefined && known.recoveredAt !== null) return;
    else {
      if (known !== undefined) this.own.set(key, { ...known, recoveredAt: at });
      this.write(key);
    }
  }

  /** The newest of each version and kind, by {@link projectionErrorKey}. */
  async list(): Promise<ReadonlyMap<string, RecordedProjectionError>> {
    const since = new Date(Date.now() - toldMs).toISOString();
    const newest = new Map<string, RecordedProjectionError>();
    for (const projectionError of [...(await this.ofOthers()), ...this.own.values()]) {
      const key = projectionErrorKey(projectionError);
      const known = newest.get(key);
      if (lastOf(projectionError) >= since && (known === undefined || lastOf(known) <= lastOf(projectionError)))
        newest.set(key, projectionError);
    }
    return newest;
  }

  async close(): Promise<void> {
    await this.writing;
    this.shared.close();
  }

  private ofOthers(): Promise<readonly RecordedProjectionError[]> {
    return this.shared.list().catch(() => []);
  }

  private write(key: string): void {
    this.due.add(key);
    this.writing = this.writing
      .then(() => this.writeDue(key))
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "What went wrong with a projection could not be told to other processes."),
      );
  }

  /** Writes the error as it is by now: what has changed meanwhile needs no writing of its own. */
  private async writeDue(key: string): Promise<void> {
    if (!this.due.delete(key)) return;
    this.writtenAt.set(key, performance.now());
    const projectionError = this.own.get(key) ?? (await this.leftOpen(key));
    if (projectionError !== null) await this.shared.record(projectionError);
  }

  /** Ends an error that an earlier process left open: this process goes on. */
  private async leftOpen(key: string): Promise<RecordedProjectionError | null> {
    const left = (await this.ofOthers()).find(
      (projectionError) => projectionErrorKey(projectionError) === key && projectionError.recoveredAt === null,
    );
    if (left === undefined) return null;
    const over = { ...left, recoveredAt: new Date().toISOString() };
    this.own.set(key, over);
    return over;
  }
}

const lastOf = ({ at, recoveredAt }: RecordedProjectionError): string => recoveredAt ?? at;
