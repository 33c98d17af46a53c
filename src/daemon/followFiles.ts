import type { Logger } from "pino";
import type { EventSource } from "../../projections/ports.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import type { FileEvent } from "../events/file.js";
import type { ListedFile } from "../readModels/uploadedFiles.js";
import type { Email, FileId } from "../shared/ids.js";
import { beginning, type Position } from "../shared/position.js";
import { LogFollower } from "./logFollower.js";

const maxBatchSize = 256;

type KnownFile = ListedFile & { readonly owner: Email };

/**
 * Follows which uploaded files there are, from the beginning of the log on, and keeps them in memory (ADR 38). A log
 * that is away is asked again.
 */
export class FollowedFiles {
  private readonly known = new Map<FileId, KnownFile>();
  private readonly byOwner = new Map<Email, Set<FileId>>();
  private readonly follower: LogFollower;

  constructor(source: EventSource, logger: Logger) {
    this.follower = new LogFollower(
      {
        ...{ source, logger, categories: ["file"], maxBatchSize },
        failure: "Which files were uploaded cannot be followed; it is tried again.",
        // What cannot be read is not listed.
        take: (event) => event.unreadable === undefined && this.take(event as RecordedEvent<FileEvent>),
      },
      beginning,
    );
  }

  start(): void {
    this.follower.start();
  }

  /** In the order of their uploads. */
  of(owner: Email): readonly ListedFile[] {
    return [...(this.byOwner.get(owner) ?? [])].flatMap((fileId) => this.known.get(fileId) ?? []);
  }

  /** Those that were uploaded up to an instant (epoch milliseconds), whosever they are. */
  *uploadedUpTo(time: number): Generator<FileId, void, void> {
    for (const { fileId, uploadedAt } of [...this.known.values()]) if (Date.parse(uploadedAt) <= time) yield fileId;
  }

  /** See `LogFollower`. */
  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.follower.reached(position, timeoutMs);
  }

  stop(): Promise<void> {
    return this.follower.stop();
  }

  private take({ event: { type, data }, metadata }: RecordedEvent<FileEvent>): void {
    if (type === "FileUploaded") {
      const { fileId, owner, uploadType, name, content } = data;
      this.known.set(fileId, { fileId, owner, uploadType, name, size: content.bytes, uploadedAt: metadata.at });
      this.byOwner.set(owner, (this.byOwner.get(owner) ?? new Set()).add(fileId));
      return;
    }
    const file = this.known.get(data.fileId);
    if (file === undefined) return;
    this.known.delete(data.fileId);
    const others = this.byOwner.get(file.owner);
    others?.delete(data.fileId);
    if (others?.size === 0) this.byOwner.delete(file.owner);
  }
}
