import type { Logger } from "pino";
import type { EventLog } from "../../commands/ports.js";
import type { BytesReader, ContentReader, EventSource } from "../../projections/ports.js";
import type { QueryFailure } from "../../queries/queries.js";
import type { ContentReference } from "../events/document.js";
import { fileStream } from "../events/streams.js";
import type { FilePage, ListedFile, UploadedFile } from "../readModels/uploadedFiles.js";
import type { Email, FileId } from "../shared/ids.js";
import { type Position, beginning } from "../shared/position.js";
import { failed, ok, type Result } from "../shared/result.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import type { FileEvent } from "../events/file.js";
import { LogFollower } from "./logFollower.js";

interface UploadedFilesOptions {
  readonly log: Pick<EventLog, "readLast">;
  readonly source: Pick<EventSource, "head">;
  readonly contents: ContentReader & BytesReader;
  readonly followed: FollowedFiles;
  /** How long a list waits for the end of the log. */
  readonly patienceMs: number;
}

/** Which page of a list. */
interface FileList {
  /** The `next` of the page before; empty for the first. */
  readonly after: string;
  readonly count: number;
  /** What a consistency token stands for; null: none was sent. The answer is of the end of the log in any case. */
  readonly atLeast: Position | null;
}

/** People's files, each to be asked for by its owner alone. */
export class ServedFiles {
  constructor(private readonly options: UploadedFilesOptions) {}

  /**
   * The file as of now, in every process. Null where there is none, where it was erased, and where it is somebody
   * else's.
   */
  async find(owner: Email, fileId: FileId): Promise<UploadedFile | null> {
    const newest = await this.options.log.readLast(fileStream(fileId));
    if (newest?.event.type !== "FileUploaded" || newest.event.data.owner !== owner) return null;
    return { ...newest.event.data, uploadedAt: newest.metadata.at };
  }

  /** The owner's files as of the end of the log, the newest first. Waits until it is known which these are. */
  async list(owner: Email, { after, count, atLeast }: FileList): Promise<Result<FilePage, QueryFailure>> {
    const { source, followed, patienceMs } = this.options;
    const head = await source.head();
    if (atLeast !== null && atLeast > head) return failed({ type: "TokenBeyondLog" });
    if (!(await followed.reached(head, patienceMs))) return failed({ type: "NotYetConsistent", waitedMs: patienceMs });
    const sorted = [...followed.of(owner)].sort((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
    const rest = after === "" ? sorted : sorted.filter((file) => keyOf(file) < after);
    const files = rest.slice(0, count);
    const last = files.at(-1);
    return ok({ files, next: rest.length > count && last !== undefined ? keyOf(last) : null });
  }

  /** How many files somebody has, and their bytes, as of the end of the log. */
  async usage(owner: Email): Promise<Result<{ readonly files: number; readonly bytes: number }, QueryFailure>> {
    const { source, followed, patienceMs } = this.options;
    if (!(await followed.reached(await source.head(), patienceMs)))
      return failed({ type: "NotYetConsistent", waitedMs: patienceMs });
    const files = followed.of(owner);
    return ok({ files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) });
  }

  /** The bytes of a file, or those of its text, piece by piece. Null where they were erased meanwhile. */
  readBytes(fileId: FileId, reference: ContentReference): Promise<AsyncIterable<Uint8Array> | null> {
    return this.options.contents.readBytes({ stream: fileStream(fileId), reference });
  }

  /** The text of a file, for a caller that works on all of it. Null as `find` says it. */
  async readText(owner: Email, fileId: FileId): Promise<string | null> {
    const file = await this.find(owner, fileId);
    return file && this.options.contents.read({ stream: fileStream(fileId), reference: file.text });
  }
}

/** Its place among others. Ids tell apart what was uploaded at the same moment. */
const keyOf = ({ uploadedAt, fileId }: ListedFile): string => `${uploadedAt}_${fileId}`;

const maxBatchSize = 256;

type KnownFile = ListedFile & { readonly owner: Email };

/**
 * Follows which uploaded files there are, from the beginning of the log on, and keeps them in memory
 * (docs/design/files-and-extraction.md). A log that is away is asked again.
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

  /** All people's files that were uploaded up to an instant (epoch milliseconds). */
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
