import { xmlToText } from "../markup.js";
import { decoded } from "./plainText.js";
import type { Reader } from "./reader.js";

const declaredEncoding = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i;

/** XML of any vocabulary: its character data. */
export const xml: Reader = {
  async read(file) {
    return { text: xmlToText(await decoded(file, declaredEncoding)), facts: {} };
  },
};
