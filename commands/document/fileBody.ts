import { contentReference } from "../../src/events/contentReference.js";
import { parseInstant } from "../../src/shared/instant.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { Asker, Extraction, TextExtractor } from "../ports.js";
import type { Rejection } from "../rejection.js";
import type { FileBody, ReadBody } from "./indexing.js";

const longestAuthor = 512;
const nothing = contentReference("");

/** What is decided on before a file is read: whether it is worth it does not depend on its text. */
export const asIfRead = ({ mimeType, bytes }: FileBody): ReadBody => ({
  kind: "text",
  text: "",
  content: nothing,
  mimeType,
  size: bytes.byteLength,
});

/** Takes the text out of a file. The files of one asker wait for each other. */
export async function readFileBody(
  extractor: TextExtractor,
  { bytes, mimeType, charset, name, isText }: FileBody,
  asker: Asker,
): Promise<Result<ReadBody, Rejection>> {
  const form = isText && ({ form: "typed" } as const);
  const extraction = await extractor.extract({ content: bytes, mimeType, charset, name, ...form }, asker);
  if (isText === true) return ok(textWithoutMarks(extraction, bytes, mimeType));
  switch (extraction.kind) {
    case "unstorable":
      return failed({ type: "FileUnstorable" });
    case "unextractable":
      return ok({ ...extraction, mimeType });
    case "text":
      return ok(textBody(extraction, bytes.byteLength));
  }
}

/** What nobody can take apart is searched as it was sent. */
function textWithoutMarks(extraction: Extraction, bytes: Uint8Array, mimeType: string): ReadBody {
  const size = bytes.byteLength;
  if (extraction.kind !== "text") return { kind: "text", text: Buffer.from(bytes).toString(), mimeType, size };
  const { text, content } = extraction;
  return { kind: "text", text, mimeType, size, ...(content && { content }) };
}

function textBody({ text, content, facts }: Extract<Extraction, { readonly kind: "text" }>, size: number): ReadBody {
  const { author, modifiedAt, ...others } = facts;
  // A file may say what it likes.
  const file = {
    ...others,
    ...(author !== undefined && { author: author.slice(0, longestAuthor) }),
    ...(modifiedAt !== undefined && parseInstant(modifiedAt) !== null && { modifiedAt }),
  };
  return { kind: "text", text, mimeType: facts.mimeType, size, file, ...(content && { content }) };
}
