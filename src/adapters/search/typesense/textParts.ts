import { cutText } from "../../../shared/cutText.js";

/** UTF-16 units of the first part: as much as a passage is looked for in. */
const firstPart = 100_000;
/** UTF-16 units of each further part. */
const furtherParts = 500_000;

/** The parts of a text, at least one: an empty text has an empty part. */
export const partsOf = (text: string): readonly string[] =>
  text === "" ? [""] : cutText(text, (part) => (part === 0 ? firstPart : furtherParts));
