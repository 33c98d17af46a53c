import { partsOf } from "../../../shared/textParts.js";

/** The parts of a text, at least one: an empty text has an empty part. */
export const storedPartsOf = (text: string): readonly string[] => (text === "" ? [""] : partsOf(text));

/** The id of a part of a document's text. */
export const partId = (id: string, part: number): string => `${id}p${part}`;

/** The id of a page of a document's passages. */
export const pageId = (id: string, number: number): string => `${id}m${number}`;
