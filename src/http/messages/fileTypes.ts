import { unnamed } from "../validation/message.js";

/** Every value of `file_type`, in the spec's order. */
export const fileTypes = [
  "message",
  "merge_request",
  "issue",
  "wiki",
  "markdown",
  "blog",
  "content",
  "timeline",
  "email",
  "file",
  "directory",
  "email_parent",
  "issue_parent",
  "wiki_parent",
  "page",
  "merge_request_parent",
  "webpage",
  "asset",
] as const;

/** What a document is to its readers (spec: File types). */
export type FileType = (typeof fileTypes)[number];

export const fileTypesAnswer = unnamed({ type: "array", items: { type: "string", enum: fileTypes } });
