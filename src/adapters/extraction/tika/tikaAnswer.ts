import type { Extraction } from "../../../../commands/ports.js";
import type { FileFacts } from "../../../events/fileFacts.js";
import { beginningOf } from "../../../shared/cutText.js";
import { isLie } from "../detect/mediaTypes.js";
import { instantOf, languageCode, oneLine } from "../readers/factValues.js";
import { textLanguage } from "../textLanguage.js";

type Entry = Readonly<Record<string, unknown>>;

const encrypted = /EncryptedDocumentException/;

/** What Tika found in a file and in the files in it; null where its answer is none that is known. */
export function toExtraction(body: Buffer, declared: string | null, maxCharacters: number): Extraction | null {
  const entries = entriesOf(body);
  const mimeType = typeOf(entries[0]);
  if (entries[0] === undefined || mimeType === undefined) return null;
  const whole = entries.flatMap((entry) => textOf(entry) ?? []).join("\n");
  const failure = failureOf(entries[0]);
  if (failure !== undefined && whole === "") return unreadable(failure);
  const text = beginningOf(whole, maxCharacters);
  const isCut = text.length < whole.length || failure !== undefined || entries.some(wasCut);
  const facts = {
    mimeType,
    declaredMimeType: declared !== null && isLie(declared, mimeType) ? declared : undefined,
    ...factsOf(entries[0], text),
    truncated: isCut ? true : undefined,
  };
  return {
    kind: "text",
    text,
    facts: Object.fromEntries(Object.entries(facts).filter(isSaid)) as unknown as FileFacts,
  };
}

const isSaid = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

const typeOf = (entry: Entry | undefined): string | undefined =>
  valueOf(entry?.["Content-Type"])?.split(";")[0]?.trim().toLowerCase();

const failureOf = (entry: Entry): string | undefined =>
  valueOf(entry["X-TIKA:EXCEPTION:container_exception"]) ?? valueOf(entry["X-TIKA:EXCEPTION:runtime"]);

const unreadable = (failure: string): Extraction => ({
  kind: "unextractable",
  reason: encrypted.test(failure) ? "The file is encrypted." : "The file is damaged: Apache Tika cannot read it.",
});

/** Empty where it is no list of objects. */
function entriesOf(body: Buffer): readonly Entry[] {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return Array.isArray(parsed) && parsed.every(isEntry) ? parsed : [];
  } catch {
    return [];
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Blank lines stand for what has no text. */
function textOf(entry: Entry): string | undefined {
  const text = valueOf(entry["X-TIKA:content"])
    ?.replace(/[\0\p{Surrogate}]/gu, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
  return text === "" ? undefined : text;
}

const wasCut = (entry: Entry): boolean => valueOf(entry["X-TIKA:EXCEPTION:write_limit_reached"]) === "true";

function factsOf(file: Entry, text: string): Omit<FileFacts, "mimeType"> {
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => valueOf(file[name])).find((value) => value !== undefined);
  const pages = Number(first("xmpTPg:NPages", "meta:page-count", "meta:slide-count"));
  return {
    title: oneLine(first("dc:title")),
    author: oneLine(first("dc:creator", "meta:author")),
    language: languageCode(first("dc:language", "language")) ?? textLanguage(text),
    pageCount: Number.isSafeInteger(pages) && pages > 0 ? pages : undefined,
    createdAt: instantOf(first("dcterms:created")),
    modifiedAt: instantOf(first("dcterms:modified")),
  };
}

/** A value of which there may be several. */
function valueOf(value: unknown): string | undefined {
  const values = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
  return values.length === 0 ? undefined : values.join(", ");
}
