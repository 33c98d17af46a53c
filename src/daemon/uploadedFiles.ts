import type { EventLog } from "../../commands/ports.js";
import type { BytesReader, ContentReader, EventSource } from "../../projections/ports.js";
import type { QueryFailure } from "../../queries/queries.js";
import type { ContentReference } from "../events/document.js";
import { fileStream } from "../events/streams.js";
import type { FilePage, ListedFile, UploadedFile } from "../readModels/uploadedFiles.js";
import type { Email, FileId } from "../shared/ids.js";
import type { Position } from "../shared/position.js";
import { failed, ok, type Result } from "../shared/result.js";
import type { FollowedFiles } from "./followFiles.js";

export interface UploadedFilesOptions {
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
export class UploadedFiles {
  constructor(private readonly options: UploadedFilesOptions) {}

  /** As of now, at every process. Null where there is none, where it was erased, and where it is somebody else's. */
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

  /** The bytes of a file, or those of its text, piece by piece. Null where they were erased meanwhile. */
  readBytes(fileId: FileId, reference: ContentReference): Promise<AsyncIterable<Uint8Array> | null> {
    return this.options.contents.readBytes({ stream: fileStream(fileId), reference });
  }

  /** What a file says, for whoever works on it whole. Null as `find` says it. */
  async readText(owner: Email, fileId: FileId): Promise<string | null> {
    const file = await this.find(owner, fileId);
    return file && this.options.contents.read({ stream: fileStream(fileId), reference: file.text });
  }
}

/** Its place among others. Ids tell apart what was uploaded at the same moment. */
const keyOf = ({ uploadedAt, fileId }: ListedFile): string => `${uploadedAt}_${fileId}`;
