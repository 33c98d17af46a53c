import type { WebHit } from "../../../webSearch/ports.js";

/** The objects of a list; none where it is no list. */
export const objectsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null && !Array.isArray(one)) : [];

/** The object that a value is; an empty one where it is none. */
export const objectIn = (value: unknown): Readonly<Record<string, unknown>> => objectsIn([value])[0] ?? {};

/** A text without white space around it; empty where it is none. */
export const textIn = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/** The texts of a list, without empty ones. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(textIn).filter((text) => text !== "") : [];

/** A hit from what an engine tells; what it leaves out is taken from what it does tell. */
export function toHit(
  url: unknown,
  {
    title,
    description,
    content,
  }: { readonly title: unknown; readonly description: unknown; readonly content: unknown },
): WebHit {
  const [address, heading, short, long] = [textIn(url), textIn(title), textIn(description), textIn(content)];
  const told = long || short || heading;
  return { url: address, title: heading || address, description: short || shortened(told), content: told };
}

const longestDescription = 300;

/** The beginning of a text, up to the end of a word. */
const shortened = (text: string): string =>
  text.length <= longestDescription
    ? text
    : `${text
        .slice(0, longestDescription)
        .replace(/\s\S*$/, "")
        .trimEnd()} …`;
