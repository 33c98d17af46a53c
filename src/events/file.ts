import type { Email, FileId } from "../shared/ids.js";
import type { ContentReference, FileFacts } from "./document.js";

/** What a file was uploaded as, and is. */
export const uploadTypes = ["document", "image"] as const;

export type UploadType = (typeof uploadTypes)[number];

/** A person has a file from here on, and nobody else. */
export interface FileUploaded {
  readonly type: "FileUploaded";
  readonly data: {
    readonly fileId: FileId;
    readonly owner: Email;
    readonly uploadType: UploadType;
    readonly name: string;
    /** The bytes of the file, as they came. */
    readonly content: ContentReference;
    /** What was read in it; empty where there was nothing to read. */
    readonly text: ContentReference;
    readonly facts: FileFacts;
  };
}

/** Bytes and text are gone. */
export interface FileErased {
  readonly type: "FileErased";
  readonly data: {
    readonly fileId: FileId;
    /** `withdrawn`: contents were there whose upload never came. */
    readonly because: "owner" | "expired" | "withdrawn";
    readonly contents: readonly ContentReference[];
  };
}

/** Stream `file-{id}`. */
export type FileEvent = FileUploaded | FileErased;

export const fileEventTypes: Readonly<Record<FileEvent["type"], true>> = {
  FileUploaded: true,
  FileErased: true,
};
