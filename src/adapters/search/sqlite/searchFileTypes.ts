import type { SearchFileType } from "../../../readModels/search.js";

/** A file type's number in the index: give a new type the next one, and never change one. */
const numbers: Readonly<Record<SearchFileType, number>> = {
  pdf: 0,
  word: 1,
  powerpoint: 2,
  excel: 3,
  email: 4,
  directory: 5,
  html: 6,
  txt: 7,
  compressed: 8,
  image: 9,
  message: 10,
  task: 11,
  issue: 12,
  wiki: 13,
  news: 14,
  page: 15,
  onenote: 16,
  comment: 17,
  other: 18,
};

export const numberOfFileType = (type: SearchFileType): number => numbers[type];

/** File types at their numbers. */
export const fileTypesByNumber: readonly SearchFileType[] = Object.entries(numbers)
  .sort(([, a], [, b]) => a - b)
  .map(([type]) => type as SearchFileType);
