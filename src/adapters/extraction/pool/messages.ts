import type { FileToExtract } from "../../../../commands/ports.js";
import type { ContentReference, FileFacts, FilePart } from "../../../events/document.js";
import type { ReadingLimits } from "../readFile.js";

/** What a reading process is started with, as JSON in its first argument. */
export interface ReadingTerms {
  readonly limits: ReadingLimits;
  /** It ends itself where it holds more. */
  readonly memoryBytes: number;
}

/** A process that keeps more than this share of its memory after a file has too little left for the next one. */
export const mostKept = 0.5;

/** What is sent before the bytes of a file; with a path, none follow. */
export interface FileHeader {
  readonly mimeType: string | null;
  readonly charset: string | null;
  readonly name: string | null;
  readonly form?: FileToExtract["form"];
  readonly path?: string;
}

/** What is answered before the bytes of a text. */
export type AnswerHeader =
  | { readonly kind: "text"; readonly content: ContentReference; readonly facts: FileFacts }
  | { readonly kind: "unextractable"; readonly reason: string; readonly isUnknownType?: true }
  | { readonly kind: "unstorable" };

/** What a process says with every answer, and before the first. */
export interface ReadingState {
  /** What it holds, with what was left of the file. */
  readonly rssBytes: number;
}

type Answer = ReadingState & { readonly answer: AnswerHeader };

/** What a process writes to its standard error before it ends itself for holding too much. */
export const tooMuchMemory = "EXTRACTION_MEMORY";

/** Where the two talk. Readers may write to standard output what they like. */
export const channel = 3;

type Kind = "string" | "number" | "boolean";

const kindsOfFacts: { readonly [Fact in Exclude<keyof FileFacts, "parts">]-?: Kind } = {
  mimeType: "string",
  declaredMimeType: "string",
  title: "string",
  author: "string",
  language: "string",
  pageCount: "number",
  createdAt: "string",
  modifiedAt: "string",
  ocrUsed: "boolean",
  unrecognizedPages: "number",
  truncated: "boolean",
};

/** The answer that a header is, with as many bytes of text behind it; null where it is none. */
export function toAnswer(header: unknown, textBytes: number): Answer | null {
  if (!isObject(header) || typeof header["rssBytes"] !== "number" || !isObject(header["answer"])) return null;
  return isAnswer(header["answer"], textBytes) ? (header as unknown as Answer) : null;
}

function isAnswer(answer: Readonly<Record<string, unknown>>, textBytes: number): boolean {
  if (answer["kind"] === "text") return isContent(answer["content"], textBytes) && isFacts(answer["facts"]);
  if (textBytes > 0) return false;
  return (
    answer["kind"] === "unstorable" || (answer["kind"] === "unextractable" && typeof answer["reason"] === "string")
  );
}

const isContent = (content: unknown, textBytes: number): boolean =>
  isObject(content) && content["bytes"] === textBytes && /^[0-9a-f]{64}$/.test(String(content["sha256"]));

const isFacts = (facts: unknown): boolean =>
  isObject(facts) &&
  typeof facts["mimeType"] === "string" &&
  Object.entries(facts).every(([fact, value]) =>
    fact === "parts" ? isParts(value) : typeof value === kindsOfFacts[fact as keyof typeof kindsOfFacts],
  );

const kindsOfPart: { readonly [Field in keyof Required<FilePart>]: Kind } = {
  name: "string",
  at: "number",
  mimeType: "string",
  unread: "string",
};

const isParts = (parts: unknown): boolean =>
  Array.isArray(parts) &&
  parts.every(
    (part: unknown) =>
      isObject(part) &&
      typeof part["name"] === "string" &&
      typeof part["at"] === "number" &&
      Object.entries(part).every(([field, value]) => typeof value === kindsOfPart[field as keyof FilePart]),
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Why a process that reads files has ended. */
export type Ending = "time" | "memory" | "crashed" | "notStarted" | "closed";

const heapIsFull = /heap limit|heap out of memory|Array buffer allocation failed/i;

/** What the last words of a process say of its end. */
export const whyEnded = (errorOutput: string): Ending =>
  errorOutput.includes(tooMuchMemory) || heapIsFull.test(errorOutput) ? "memory" : "crashed";
