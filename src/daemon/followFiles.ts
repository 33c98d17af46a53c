import type { Logger } from "pino";
import type { EventSource } from "../../projections/ports.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import type { FileEvent } from "../events/file.js";
import type { ListedFile } from "../readModels/uploadedFiles.js";
import { delay } from "../shared/delay.js";
import type { Email, FileId } from "../shared/ids.js";
import { beginning, type Position } from "../shared/position.js";

const maxBatchSize = 256;
const retryDelayMs = 1_000;
const lookMs = 5;

type KnownFile = ListedFile & { readonly owner: Email };

/**
 * Follows which uploaded files there are, from the beginning of the log on, and keeps them in memory (ADR 38). A log
 * that is away is asked again.
 */
export class FollowedFiles {
  private readonly known = new Map<FileId, KnownFile>();
  private readonly byOwner = new Map<Email, Set<FileId>>();
  private readonly stopping = new AbortController();
  private after = beginning;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly source: EventSource,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** In the order of their uploads. */
  of(owner: Email): readonly ListedFile[] {
    return [...(this.byOwner.get(owner) ?? [])].flatMap((fileId) => this.known.get(fileId) ?? []);
  }

  /** Those that were uploaded up to an instant (epoch milliseconds), whosever they are. */
  *uploadedUpTo(time: number): Generator<FileId, void, void> {
    for (const { fileId, uploadedAt } of [...this.known.values()]) if (Date.parse(uploadedAt) <= time) yield fileId;
  }

  /** Waits until everything up to this position has been followed, or `timeoutMs`, and says whether it was. */
  async reached(position: Position, timeoutMs: number): Promise<boolean> {
    const patience = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(timeoutMs)]);
    while (this.after < position && !patience.aborted) await delay(lookMs, patience);
    return this.after >= position;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.subscribe(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.logger.error({ err: error }, "Which files were uploaded cannot be followed; it is tried again.");
        await delay(retryDelayMs, signal);
      }
    }
  }

  private async subscribe(signal: AbortSignal): Promise<void> {
    const { after } = this;
    for await (const { events, position } of this.source.subscribe({
      ...{ after, categories: ["file"], maxBatchSize, signal },
    })) {
      // What cannot be read is not listed.
      for (const event of events) if (event.unreadable === undefined) this.take(event as RecordedEvent<FileEvent>);
      this.after = position;
    }
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
