import { partsOf } from "../../../shared/textParts.js";

/** The parts of a text, at least one: an empty text has an empty part. */
export const storedPartsOf = (text: string): readonly string[] => (text === "" ? [""] : partsOf(text));

/** The id of a part of a document's text; the first one has the document's own. */
export const partId = (id: string, part: number): string => (part === 0 ? id : `${id}p${part}`);
