import type { ContentReference } from "../../src/events/document.js";
import { contentReference } from "../../src/events/contents.js";
import type { FileUploaded, UploadType } from "../../src/events/file.js";
import { fileStream, idOf } from "../../src/events/streams.js";
import { type FileId, type Email, toFileId } from "../../src/shared/ids.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import type { Extraction, NewContent, TextExtractor, UnclaimedText } from "../ports.js";
import type { Rejection } from "../rejection.js";
import { decide, fileAggregate } from "./decider.js";
import { replyWith } from "../handleCommand.js";

/** A file as a person sends it. */
interface UploadFile extends Pick<FileUploaded["data"], "owner" | "uploadType" | "name"> {
  /** Where the bytes lie on this machine, until the command has ended. */
  readonly path: string;
  /** The hash that the bytes are known by; the receiver has computed it on the way. */
  readonly content: ContentReference;
  /** The media type that the client declared, and its charset; null: none. */
  readonly mimeType: string | null;
  readonly charset: string | null;
}

/** Reads a file, and keeps it for a person, bytes and text, until it is erased. One that cannot be read is refused. */
export async function uploadFile(
  { handler, minting, extractor }: CommandServices,
  file: UploadFile,
  context: CommandContext,
): CommandResult<FileId> {
  const read = await readText(extractor, file);
  if (!read.ok) return read;
  const { text, facts, content: textContent = contentReference(text) } = read.value;
  const { owner, uploadType, name, content } = file;
  const fileId = minting.fileId();
  const stream = fileStream(fileId);
  const contents: readonly NewContent[] = [
    { stream, reference: content, text: { path: file.path, bytes: content.bytes } },
    // A plain text is its own text: it is kept once.
    ...(textContent.sha256 === content.sha256 ? [] : [{ stream, reference: textContent, text }]),
  ];
  const uploaded = { fileId, owner, uploadType, name, content, text: textContent, facts };
  return handler.handle({
    aggregate: fileAggregate,
    stream,
    context,
    decide: (state) => {
      const decision = decide({ type: "UploadFile", uploaded }, state);
      return decision.ok ? ok({ events: decision.value, contents, value: fileId }) : decision;
    },
  });
}

type ReadText = Extract<Extraction, { readonly kind: "text" }>;

async function readText(
  extractor: TextExtractor,
  { path, mimeType, charset, name, uploadType }: UploadFile,
): Promise<Result<ReadText, Rejection>> {
  const extraction = await extractor.extract({ content: { path }, mimeType, charset, name });
  if (extraction.kind === "unextractable") return failed({ type: "FileUnreadable", reason: extraction.reason });
  if (extraction.kind === "unstorable")
    return failed({ type: "FileUnreadable", reason: "Its text holds NUL characters or unpaired surrogates." });
  const found = extraction.facts.mimeType;
  return typeOf(found) === uploadType ? ok(extraction) : failed({ type: "FileOfOtherType", uploadType, found });
}

const typeOf = (mimeType: string): UploadType => (mimeType.startsWith("image/") ? "image" : "document");

interface EraseFile {
  readonly fileId: FileId;
  /** The person who asks for it. */
  readonly owner: Email;
}

/** Erases a person's file for good; for somebody else's file the answer is that there is none. */
export function eraseFile(
  { handler }: CommandServices,
  { fileId, owner }: EraseFile,
  context: CommandContext,
): CommandResult<null> {
  return handler.handle({
    aggregate: fileAggregate,
    stream: fileStream(fileId),
    context,
    decide: (state) => replyWith(decide({ type: "EraseFile", fileId, owner }, state), null),
  });
}

/** Erases a file whose time is over. Several processes may ask for it, and one of them does it. No client can. */
export function expireFile({ handler }: CommandServices, fileId: FileId, context: CommandContext): CommandResult<null> {
  return handler.handle({
    aggregate: fileAggregate,
    stream: fileStream(fileId),
    context,
    decide: (state) => replyWith(decide({ type: "ExpireFile", fileId }, state), null),
  });
}

/**
 * Withdraws a content whose file has no event yet, as `withdrawText` does for documents. An upload still under way then
 * finds the file erased. No client can ask for this.
 */
export function withdrawFile(
  { handler }: CommandServices,
  { stream, reference: content }: UnclaimedText,
  context: CommandContext,
): CommandResult<null> {
  const fileId = toFileId(idOf(stream));
  return handler.handle({
    aggregate: fileAggregate,
    stream,
    context,
    decide: (state) => replyWith(decide({ type: "WithdrawFile", fileId, content }, state), null),
  });
}
