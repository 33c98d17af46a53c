import { failed, ok, type Result } from "../../shared/result.js";
import { valueError, type Issue } from "./issue.js";

/** Decoded parameters: every name with its values in order. */
export type QueryString = ReadonlyMap<string, readonly string[]>;

const empty: QueryString = new Map();

/** Decodes what follows `?`. Fails where percent-encoding is malformed, not UTF-8, or encodes a NUL character. */
export function parseQueryString(text: string): Result<QueryString, readonly Issue[]> {
  if (text === "") return ok(empty);
  const values = new Map<string, string[]>();
  for (const part of text.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const name = decode(at === -1 ? part : part.slice(0, at));
    const value = decode(at === -1 ? "" : part.slice(at + 1));
    if (name === undefined) return failed([valueError(["query"], notDecodable)]);
    if (value === undefined) return failed([valueError(["query", name], notDecodable)]);
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return ok(values);
}

/** A path segment or parameter, decoded; undefined where it cannot be. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** What is wrong where {@link decodePercent} answers undefined. */
export const notDecodable = "percent-encoding must be well-formed UTF-8 without NUL characters";

const decode = (text: string): string | undefined =>
  decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
