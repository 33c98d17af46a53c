import type { SearchFileType } from "../../src/readModels/search.js";
import { textFormatOf } from "../../src/shared/textFormat.js";

/**
 * What the file type filter calls a document, by the file type that it was pushed with. The media type decides for
 * files and assets.
 */
const byFileType: Readonly<Record<string, SearchFileType>> = {
  markdown: "txt",
  webpage: "html",
  page: "page",
  content: "page",
  blog: "news",
  timeline: "news",
  email: "email",
  email_parent: "email",
  issue: "issue",
  issue_parent: "issue",
  wiki: "wiki",
  wiki_parent: "wiki",
  message: "message",
  merge_request: "other",
  merge_request_parent: "other",
  directory: "directory",
};

const byMimeType: Readonly<Record<string, SearchFileType>> = {
  "application/pdf": "pdf",
  "application/msword": "word",
  "application/rtf": "word",
  "text/rtf": "word",
  "application/vnd.ms-powerpoint": "powerpoint",
  "application/vnd.ms-excel": "excel",
  "text/csv": "excel",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "message/rfc822": "email",
  "application/vnd.ms-outlook": "email",
  "application/onenote": "onenote",
  "application/msonenote": "onenote",
  "application/zip": "compressed",
  "application/x-zip-compressed": "compressed",
  "application/gzip": "compressed",
  "application/x-gzip": "compressed",
  "application/x-tar": "compressed",
  "application/x-bzip": "compressed",
  "application/x-bzip2": "compressed",
  "application/x-compress": "compressed",
  "application/x-lzma": "compressed",
  "application/x-xz": "compressed",
  "application/zstd": "compressed",
  "application/x-7z-compressed": "compressed",
  "application/vnd.rar": "compressed",
  "application/x-rar-compressed": "compressed",
};

/** The first that fits decides. Families of office formats have a template and a macro variant each. */
const byMimePrefix: readonly (readonly [string, SearchFileType])[] = [
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.", "word"],
  ["application/vnd.ms-word.", "word"],
  ["application/vnd.oasis.opendocument.text", "word"],
  ["application/vnd.openxmlformats-officedocument.presentationml.", "powerpoint"],
  ["application/vnd.ms-powerpoint.", "powerpoint"],
  ["application/vnd.oasis.opendocument.presentation", "powerpoint"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.", "excel"],
  ["application/vnd.ms-excel.", "excel"],
  ["application/vnd.oasis.opendocument.spreadsheet", "excel"],
  ["image/", "image"],
];

const isText = (essence: string): boolean => essence.startsWith("text/") || textFormatOf(essence) !== null;

/** The file type filter's value for a document; media types are compared without case and parameters. */
export function searchFileType(fileType: string, mimeType: string): SearchFileType {
  if (fileType !== "file" && fileType !== "asset") return byFileType[fileType] ?? "other";
  const essence = (mimeType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const known = byMimeType[essence] ?? byMimePrefix.find(([prefix]) => essence.startsWith(prefix))?.[1];
  return known ?? (isText(essence) ? "txt" : "other");
}
