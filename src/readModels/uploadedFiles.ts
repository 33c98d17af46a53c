import type { FileUploaded } from "../events/file.js";

/** A file that is there. */
export type UploadedFile = FileUploaded["data"] & {
  /** ISO instant. */
  readonly uploadedAt: string;
};

/** What lists tell of a file. */
export interface ListedFile extends Pick<UploadedFile, "fileId" | "uploadType" | "name" | "uploadedAt"> {
  /** Bytes. */
  readonly size: number;
}

/** A part of a person's files, the newest first. */
export interface FilePage {
  readonly files: readonly ListedFile[];
  /** Where the next page begins; null: there is none. */
  readonly next: string | null;
}
