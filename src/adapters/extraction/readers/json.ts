import { isUnstorable } from "../../../shared/texts.js";
import { decoded, UnstorableText } from "./plainText.js";
import type { Reader } from "./reader.js";

/** JSON: keys and values, one per line. */
export const json: Reader = {
  async read(file) {
    const text = jsonToText(await decoded(file, null));
    // Escapes in JSON can write characters that no decoding lets pass.
    if (isUnstorable(text)) throw new UnstorableText();
    return { text, facts: {} };
  },
};

/** Text that is not one JSON value (comments, several values) is taken as it stands. */
function jsonToText(text: string): string {
  const lines: string[] = [];
  try {
    // The reviver sees every key and value without recursion of our own.
    JSON.parse(text, function (this: unknown, key: string, value: unknown) {
      if (key !== "" && !Array.isArray(this)) lines.push(key);
      if (value !== null && typeof value !== "object") lines.push(String(value));
      return null;
    });
  } catch {
    return text;
  }
  return lines.join("\n");
}
