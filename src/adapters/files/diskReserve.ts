import { appendFile } from "node:fs/promises";
import { statfsSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";

/** What one commit takes at most, but for large texts. */
export const enoughBytes = 1024 ** 2;
/** Room for some hundred sign-ins, or for what SQLite has to make at a start. */
const stepBytes = 4 * 1024 ** 2;
/** The reserve grows only where the disk is left more than anybody needs at once. */
const spareBytes = 2 * stepBytes;

export const diskReserveFile = "disk-reserve";

/**
 * Room for what has to be written on a disk that others have filled to the last byte: a revocation, a sign-in, a
 * start. A file holds it, and is made smaller step by step. Several processes of a folder share one.
 */
export class DiskReserve {
  private readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, diskReserveFile);
  }

  /** How many bytes can still be given up. */
  get keptBytes(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Gives up a step where not enough is free. */
  giveWay(): void {
    const { keptBytes } = this;
    if (keptBytes > 0 && this.freeBytes() < enoughBytes) truncateSync(this.path, Math.max(0, keptBytes - stepBytes));
  }

  /** Takes a step towards so many bytes where there is room to spare, or gives up what is kept beyond them. */
  async approach(bytes: number): Promise<void> {
    const { keptBytes } = this;
    if (keptBytes > bytes) truncateSync(this.path, bytes);
    const step = Math.min(stepBytes, bytes - keptBytes);
    if (step > 0 && this.freeBytes() >= spareBytes + step)
      await appendFile(this.path, Buffer.alloc(step), { mode: 0o600 });
  }

  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }
}
