import { hash } from "node:crypto";
import type { DatasourceId, DocumentId, PrincipalToken } from "../../../shared/ids.js";

/*
 * Everything that enters a filter is made here, of lower-case letters and digits alone. Typesense compares strings
 * without case, accents and symbols, and a filter can be broken out of with backticks and `||`: neither can matter to
 * such values.
 */

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const digitsOf62 = new Map([...base62].map((character, digit) => [character, BigInt(digit)]));
const plainTerm = /^[a-z0-9]{1,64}$/;
const hashedTerm = "h";

/** 64 bits of a SHA-256 as 13 characters. */
export const shortHash = (text: string): string =>
  hash("sha256", text, "buffer").readBigUInt64BE(0).toString(36).padStart(13, "0");

/** 128 bits of a SHA-256 as hex, for keys that two things must never share. */
const longHash = (text: string): string => hash("sha256", text, "hex").slice(0, 32);

/** The mark of a datasource's documents. */
export const datasourceKey = (datasourceId: DatasourceId): string => shortHash(datasourceId);

/** The mark of an author's documents. */
export const authorKey = (author: string): string => shortHash(author);

/** A document's id in the engine. */
export const documentKey = (datasourceId: DatasourceId, documentId: DocumentId): string =>
  longHash(JSON.stringify([datasourceId, documentId]));

/** The key of an access class: one for each datasource and set of tokens (sorted). */
export const classKey = (datasource: string, tokens: readonly PrincipalToken[]): string =>
  longHash(`${datasource} ${tokens.join(" ")}`);

/** A minted token in 13 characters that differ by more than case, which the engine does not see. One to one. */
export function tokenKey(token: PrincipalToken): string {
  let value = 0n;
  for (const character of token) value = value * 62n + (digitsOf62.get(character) ?? 0n);
  return value.toString(36).padStart(13, "0");
}

/** A word of a document as the engine holds it. Words begin with the letter of their language, never with an h. */
export const engineTerm = (form: string): string => (plainTerm.test(form) ? form : hashedTerm + shortHash(form));

/**
 * How many conditions of a filter may ask for what. The engine takes 50 in a filter (`--filter-by-max-ops`: 100 with
 * what joins them): the person's principals, then parts of names or words of phrases; the rest is for single words, and
 * for what narrows a search.
 */
export const conditionShares = { principals: 22, names: 16, rareNames: 4, phrases: 16 } as const;

/** Passed by documents that hold any of these words, each as the engine holds it; there has to be one. */
export const holdsAnyOf = (words: readonly string[]): string => `w:[${[...new Set(words)].join(",")}]`;

/**
 * A word of a title for the engine's own matching. Characters other than a-z and 0-9 are written as their
 * number, so that beginnings stay beginnings.
 */
export const engineWord = (word: string): string =>
  word.replace(/[^a-z0-9]/g, (unit) => `z${unit.charCodeAt(0).toString(36).padStart(4, "0")}`);
