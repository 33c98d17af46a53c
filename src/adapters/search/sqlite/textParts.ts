import { partsPerDocument } from "./schema.js";

/** The key of the first part of a row's text, and of the first page of its passages. */
export const firstPartOf = (row: number): number => row * partsPerDocument;
