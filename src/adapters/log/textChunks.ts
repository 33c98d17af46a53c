import { cutText } from "../../shared/cutText.js";

/** At most three UTF-8 bytes per UTF-16 unit: a chunk stays below 512 KiB. */
const unitsPerChunk = 160 * 1024;

/**
 * Cuts a text into at least one chunk, each below 512 KiB in UTF-8, never through a surrogate pair. It is chunks,
 * because a log server limits the size of an append, and because SQLite then erases a text of 100 MB in transactions
 * that hold up no append.
 */
export const toChunks = (text: string): readonly string[] => (text === "" ? [""] : cutText(text, () => unitsPerChunk));
