import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DataDisk } from "../../http/ports.js";

/** What one commit takes at most, but for large texts. */
const enoughBytes = 1024 ** 2;
/** A probe writes: it is not made for everybody who asks. */
const probeAgainMs = 1_000;

/**
 * The disk of a folder. It is full where it says so, or from a write that failed for want of room on, as a quota makes
 * it, until a probe can be written.
 */
export class FolderDisk implements DataDisk {
  private failed = false;
  private probedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly folder: string) {}

  noteFull(): void {
    this.failed = true;
  }

  async isFull(): Promise<boolean> {
    const free = await this.freeBytes();
    if (free !== null && free < enoughBytes) return true;
    if (this.failed && performance.now() - this.probedAt >= probeAgainMs) {
      this.probedAt = performance.now();
      this.failed = !(await this.canBeWritten());
    }
    return this.failed;
  }

  async freeBytes(): Promise<number | null> {
    return statfs(this.folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    );
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
