import { Readable } from "node:stream";
import { json } from "typia";
import type { UploadedFile, FilePage, ListedFile } from "../readModels/uploadedFiles.js";
import { toFileId, type FileId } from "../shared/ids.js";
import { commandContextOf, personOf, type ApiContext } from "../http/apiContext.js";
import { uploadBody } from "../http/body/uploadBody.js";
import { toRefusal, valueOf } from "../http/envelopes.js";
import { doneAnswer } from "../http/messages/errors.js";
import { listQuery } from "./inventory.js";
import { toFileFactsAnswer, type FileFactsAnswer } from "./searchAnswer.js";
import { RefusedRequest } from "../http/refusedRequest.js";
import { route } from "../http/route.js";
import { unnamed, answerMessage } from "../http/validation/message.js";
import { fileInPath, notYetConsistent } from "../http/pathParameters.js";
import { uploadTypes } from "../events/file.js";
import { ok } from "../shared/result.js";
import { queryOf, present, choice } from "../http/validation/parameters.js";

/** An uploaded file (spec: Uploaded file record). */
export interface FileAnswer {
  id: string;
  type: "document" | "image";
  name: string;
  source: "uploaded_file";
  created_at: string;
  /** Bytes. */
  size: number;
}

/** Answer of `GET /api/beta/files`. */
export interface FilesAnswer {
  files: FileAnswer[];
  /** Only where there is another page. */
  next?: string;
}

/** Answer of `GET /api/beta/files/{id}/text`. */
export interface FileTextAnswer {
  name: string;
  /** The type that its content shows. */
  mime_type: string;
  file: FileFactsAnswer;
  text_content: string;
}

const fileTextAnswer = answerMessage(json.schema<FileTextAnswer>());
const fileAnswer = answerMessage(json.schema<FileAnswer>());
const filesAnswer = answerMessage(json.schema<FilesAnswer>());

/** What a file is uploaded as. */
const uploadQuery = queryOf(
  { type: present(choice("What the file is; it has to be that by its content.", uploadTypes)) },
  ok,
);

/** The record of a file. */
const toFileAnswer = ({ fileId, uploadType, name, uploadedAt, size }: ListedFile): FileAnswer => ({
  ...{ id: fileId, type: uploadType, name },
  ...{ source: "uploaded_file", created_at: uploadedAt, size },
});

/** A page of records. */
const toFilesAnswer = ({ files, next }: FilePage): FilesAnswer => ({
  files: files.map(toFileAnswer),
  ...(next !== null && { next }),
});

const tag = "Files";
const access = "apiKey";
const example = {
  ...{ id: "file_3f2a9c0d7b6e4d1f8a5c", type: "document", name: "travel-2024.txt", source: "uploaded_file" },
  ...{ created_at: "2024-05-01T09:31:00.000Z", size: 48_213 },
};

const notFound = "The key's person has no such file.";

const noFile = (id: FileId): RefusedRequest => new RefusedRequest(toRefusal({ type: "FileNotFound", id }));
const listed = (file: UploadedFile) => ({ ...file, size: file.content.bytes });

async function findFile(context: ApiContext, id: FileId): Promise<UploadedFile> {
  const file = await context.services.files.find(personOf(context), id);
  if (file === null) throw noFile(id);
  return file;
}

const uploadFile = route({
  method: "POST",
  path: "/api/beta/files/upload",
  access,
  query: uploadQuery,
  body: uploadBody,
  async handle(context, { query: { type: uploadType }, body: received }) {
    const { path, name, sha256, bytes, mimeType, charset } = received;
    const owner = personOf(context);
    const file = { owner, uploadType, name, path, content: { sha256, bytes }, mimeType, charset };
    const { commands, uploadQuotas } = context.services;
    const { value: fileId, position } = await uploadQuotas.during(owner, bytes, async () =>
      valueOf(await commands.uploadFile(file, commandContextOf(context))),
    );
    context.state.position = position;
    context.body = toFileAnswer(listed(await findFile(context, fileId)));
  },
  description: {
    tag,
    summary: "Upload a file",
    description:
      "The file in the part `file` of a multipart form. It is read at once; one that cannot be read, as an encrypted PDF, is refused with the reason, and one without text is kept. It is the key's person's alone, and is erased after `FILE_TTL_DAYS`.",
    example: { file: "Send receipts within a month." },
    success: {
      description: "Uploaded, and readable at every process.",
      schema: fileAnswer,
      example,
      carriesToken: true,
    },
    failures: {
      413: "The file is larger than `MAX_UPLOAD_BYTES`, or its person would have more than `MAX_FILES_PER_PERSON` or `MAX_FILE_BYTES_PER_PERSON`; it says what is left.",
      503: "Files cannot be read or kept at the moment. Nothing was written; see Retry-After.",
    },
  },
});

const listFiles = route({
  method: "GET",
  path: "/api/beta/files",
  access,
  query: listQuery,
  isConsistent: true,
  async handle(context, { query: page }) {
    const { files } = context.services;
    context.body = toFilesAnswer(
      valueOf(await files.list(personOf(context), { ...page, atLeast: context.state.atLeast })),
    );
  },
  description: {
    tag,
    summary: "List one's files",
    description: "Our own addition. The newest first. It reflects every upload and deletion that was answered before.",
    success: { description: "A page.", schema: filesAnswer, example: { files: [example] } },
    failures: { 503: notYetConsistent },
  },
});

const findOne = route({
  method: "GET",
  path: "/api/beta/files/{id}",
  access,
  params: [fileInPath],
  async handle(context, { params: { id } }) {
    context.body = toFileAnswer(listed(await findFile(context, toFileId(id))));
  },
  description: {
    tag,
    summary: "Read a file's record",
    description: "Our own addition. It reflects every upload and deletion that was answered before.",
    success: { description: "The record.", schema: fileAnswer, example },
    failures: { 404: notFound },
  },
});

/** What a browser may show without running anything of it. Everything else is told as bytes. */
const safeTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]);

const readContent = route({
  method: "GET",
  path: "/api/beta/files/{id}/content",
  access,
  params: [fileInPath],
  async handle(context, { params: { id } }) {
    const { fileId, content, name, facts } = await findFile(context, toFileId(id));
    const bytes = await context.services.files.readBytes(fileId, content);
    if (bytes === null) throw noFile(fileId);
    // What is not ASCII would leave as something else: the name itself goes percent-encoded beside it.
    context.attachment(name, { fallback: name.replaceAll(/[^\x20-\x7e]/g, "_") });
    context.type = safeTypes.has(facts.mimeType) ? facts.mimeType : "application/octet-stream";
    context.length = content.bytes;
    context.body = Readable.from(bytes, { objectMode: false });
  },
  description: {
    tag,
    summary: "Read a file's bytes",
    description:
      "Our own addition. As they were uploaded, to be saved and not shown. Where the file is erased meanwhile the connection is cut.",
    success: {
      description: "The bytes.",
      schema: unnamed({ type: "string", contentMediaType: "application/octet-stream" }),
      mediaType: "application/octet-stream",
      example: "Send receipts within a month.",
    },
    failures: { 404: notFound },
  },
});

const readText = route({
  method: "GET",
  path: "/api/beta/files/{id}/text",
  access,
  params: [fileInPath],
  async handle(context, { params: { id } }) {
    const { fileId, name, facts } = await findFile(context, toFileId(id));
    const text = await context.services.files.readText(personOf(context), fileId);
    if (text === null) throw noFile(fileId);
    const answer: FileTextAnswer = {
      ...{ name, mime_type: facts.mimeType, file: toFileFactsAnswer(facts), text_content: text },
    };
    context.body = answer;
  },
  description: {
    tag,
    summary: "Read a file's text",
    description: "Our own addition. What was read of the file, and what it says of itself.",
    success: {
      description: "The text.",
      schema: fileTextAnswer,
      example: {
        ...{ name: example.name, mime_type: "text/plain", text_content: "Send receipts within a month." },
        file: toFileFactsAnswer({ mimeType: "text/plain" }),
      },
    },
    failures: { 404: notFound },
  },
});

const eraseFile = route({
  method: "DELETE",
  path: "/api/beta/files/{id}",
  access,
  params: [fileInPath],
  async handle(context, { params: { id } }) {
    const file = { fileId: toFileId(id), owner: personOf(context) };
    const { position } = valueOf(await context.services.commands.eraseFile(file, commandContextOf(context)));
    context.state.position = position;
    context.body = { status: "ok" };
  },
  description: {
    tag,
    summary: "Erase a file",
    description: "Our own addition. Bytes and text are erased for good.",
    success: { description: "Erased.", schema: doneAnswer, carriesToken: true },
    failures: { 404: notFound },
  },
});

/** Uploaded files (spec: File upload). */
export const fileRoutes = [uploadFile, listFiles, findOne, readContent, readText, eraseFile];
