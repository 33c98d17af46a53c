import { TextBuilder } from "../textBuilder.js";
import { contentLines, partsOf, unescapedText, type ContentLine } from "./contentLines.js";
import { oneLine } from "./factValues.js";
import { decoded } from "./plainText.js";
import type { Reader } from "./reader.js";

/** Cards of people and firms: names, addresses and numbers, without pictures. */
export const card: Reader = {
  async read(file, { maxCharacters }) {
    const text = new TextBuilder(maxCharacters);
    let title: string | undefined;
    for (const line of contentLines(await decoded(file, null))) {
      if (text.isFull) break;
      text.addLines(propertyText(line));
      if (line.name === "FN") title ??= unescapedText(line.value);
    }
    return { text: text.toString(), facts: { title: oneLine(title) } };
  },
};

const texts: ReadonlySet<string> = new Set([
  ...["FN", "NICKNAME", "TITLE", "ROLE", "NOTE", "CATEGORIES", "URL", "LABEL", "IMPP", "RELATED"],
]);
const structured: ReadonlySet<string> = new Set(["N", "ORG", "ADR"]);
const addresses: ReadonlySet<string> = new Set(["EMAIL", "TEL"]);

function propertyText({ name, value }: ContentLine): string {
  if (structured.has(name)) return partsOf(value).join(name === "N" ? " " : ", ");
  if (addresses.has(name)) return unescapedText(value).replace(/^(?:mailto|tel):/i, "");
  return texts.has(name) ? unescapedText(value) : "";
}
