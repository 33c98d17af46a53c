import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DataDisk } from "../../http/ports.js";
import { DiskReserve, enoughBytes } from "./diskReserve.js";

/** A text goes to the log, and into the search index. */
const writtenPerByte = 3;
const lookAgainMs = 250;
/** A probe writes: it is not made for everybody who asks. */
const probeAgainMs = 1_000;
const tendAgainMs = 1_000;

/**
 * The disk of a folder. It is full where it says so, or from a write that failed for want of room on, as a quota makes
 * it, until a probe can be written.
 */
export class FolderDisk implements DataDisk {
  private failed = false;
  private probedAt = Number.NEGATIVE_INFINITY;
  /** What was free at the last look, less what has been let in since; null: nobody can tell. */
  private room: number | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private readonly reserve: DiskReserve;
  private readonly tending: NodeJS.Timeout;

  /** `reserveBytes`: what {@link hasRoomFor} leaves, and what is kept for a disk that others fill. */
  constructor(
    private readonly folder: string,
    private readonly reserveBytes: number,
  ) {
    this.reserve = new DiskReserve(folder);
    this.tending = setInterval(() => void this.tend().catch(() => undefined), tendAgainMs).unref();
  }

  stop(): void {
    clearInterval(this.tending);
  }

  get reservedBytes(): number {
    return this.reserve.keptBytes;
  }

  noteFull(): void {
    this.failed = true;
  }

  async isFull(): Promise<boolean> {
    this.reserve.giveWay();
    const free = await this.freeBytes();
    if (free !== null && free < enoughBytes) return true;
    if (this.failed && performance.now() - this.probedAt >= probeAgainMs) {
      this.probedAt = performance.now();
      this.failed = !(await this.canBeWritten());
    }
    return this.failed;
  }

  async hasRoomFor(bytes: number): Promise<boolean> {
    if (performance.now() - this.lookedAt >= lookAgainMs || this.failed) {
      this.lookedAt = performance.now();
      this.room = (await this.isFull()) ? 0 : await this.roomBytes();
    }
    if (this.room === null) return true;
    const left = this.room - writtenPerByte * bytes;
    if (left < this.reserveBytes) return false;
    this.room = left;
    return true;
  }

  async freeBytes(): Promise<number | null> {
    return statfs(this.folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    );
  }

  /** What is kept is free but for its name. */
  private async roomBytes(): Promise<number | null> {
    const free = await this.freeBytes();
    return free === null ? null : free + this.reserve.keptBytes;
  }

  private async tend(): Promise<void> {
    if (!(await this.isFull())) await this.reserve.approach(this.reserveBytes);
  }

  private async canBeWritten(): Promise<boolean> {
    const probe = join(this.folder, `room.sqlite-${process.pid}`);
    try {
      const file = await open(probe, "w", 0o600);
      try {
        await file.write(Buffer.alloc(enoughBytes));
        await file.sync();
      } finally {
        await file.close();
      }
      return true;
    } catch {
      return false;
    } finally {
      await rm(probe, { force: true }).catch(() => undefined);
    }
  }
}
