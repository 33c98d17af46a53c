import type { SearchFileType } from "../../../readModels/search.js";

/** A file type's number in the index is its place here, so only append to it. */
const numbered: readonly SearchFileType[] = [
  "pdf",
  "word",
  "powerpoint",
  "excel",
  "email",
  "directory",
  "html",
  "txt",
  "compressed",
  "image",
  "message",
  "task",
  "issue",
  "wiki",
  "news",
  "page",
  "onenote",
  "comment",
  "other",
];

const numbers: ReadonlyMap<SearchFileType, number> = new Map(numbered.map((type, number) => [type, number]));

export const numberOfFileType = (type: SearchFileType): number => numbers.get(type) as number;
