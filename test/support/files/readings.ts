import { expect } from "chai";
import { readFile, type FileInMemory, type ReadingLimits } from "../../../src/adapters/extraction/readFile.js";
import type { FileFacts } from "../../../src/events/document.js";
import { carriedString } from "../../../src/shared/carriedText.js";

type Declared = Partial<Omit<FileInMemory, "bytes">> & Partial<ReadingLimits>;

export const read = (
  content: Buffer | string,
  { maxCharacters = 1_000_000, ocrLanguages = null, timeoutMs, libreOffice, ...declared }: Declared = {},
) =>
  readFile(
    { bytes: Buffer.from(content as string), mimeType: null, charset: null, name: null, ...declared },
    { maxCharacters, ocrLanguages, timeoutMs, libreOffice },
  );

/** What was read of a file that can be read. */
export async function readText(
  content: Buffer | string,
  declared?: Declared,
): Promise<{ readonly text: string; readonly facts: FileFacts }> {
  const extraction = await read(content, declared);
  if (extraction.kind !== "text") return expect.fail(`There is no text: ${JSON.stringify(extraction)}`);
  return { text: carriedString(extraction.text), facts: extraction.facts };
}

/** Why a file cannot be read. */
export async function readReason(content: Buffer | string, declared?: Declared): Promise<string> {
  const extraction = await read(content, declared);
  return extraction.kind === "unextractable" ? extraction.reason : expect.fail(`It is ${extraction.kind}.`);
}
