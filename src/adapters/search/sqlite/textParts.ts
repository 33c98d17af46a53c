import { cutText } from "../../../shared/cutText.js";
import { charactersPerPart, partsPerDocument } from "./schema.js";

export const firstPartOf = (row: number): number => row * partsPerDocument;

/** The parts of a text; an empty one has none. */
export const partsOf = (text: string): readonly string[] => cutText(text, () => charactersPerPart);
