import type { ContentReference } from "../../events/document.js";
import type { UploadedFile } from "../../readModels/uploadedFiles.js";
import type { Email, FileId } from "../../shared/ids.js";

/** People's files, each to be asked for by its owner alone. */
export interface UploadedFiles {
  /** Null where there is none, where it was erased, and where it is somebody else's. */
  find(owner: Email, fileId: FileId): Promise<UploadedFile | null>;
  /** Null as `find` says it. */
  readText(owner: Email, fileId: FileId): Promise<string | null>;
  /** Piece by piece. Null where they were erased meanwhile. */
  readBytes(fileId: FileId, reference: ContentReference): Promise<AsyncIterable<Uint8Array> | null>;
}
