import type { IncomingMessage } from "node:http";
import { createWriteStream, type WriteStream } from "node:fs";
import type { Stream } from "node:stream";
import { koaBody } from "koa-body";
import { DiskFull } from "../../shared/failures.js";
import { personOf, type ApiContext, type ApiMiddleware } from "../apiContext.js";
import { invalidRequest, refusal } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import type { RequestBody } from "../route.js";
import { missing, valueError } from "../validation/issue.js";
import { unnamed } from "../validation/message.js";
import { askForBody, broken, declaredLength, holderOf, noMore } from "./acceptBody.js";
import { fullOr, placeFor, requireRoom } from "./receivedBody.js";
import { isLongerThan } from "../validation/characters.js";

/** For the boundaries and headers of the parts, and for short fields beside the file. */
const aroundTheFile = 65_536;

/** Beside the file. */
const mostFields = 16;

const anything = "application/octet-stream";

/** What formidable tells of a part before its bytes come. */
interface Part extends Stream {
  readonly name: string | null;
  readonly originalFilename: string | null;
  /** formidable takes for a file what has one, and nothing else. */
  mimetype: string | null;
  transferEncoding?: string;
}

/**
 * Every part is a file that has a name for one, or is called as the file is: a media type is optional (RFC 7578, 4.4).
 */
const isFile = ({ name, originalFilename }: Part): boolean => name === "file" || Boolean(originalFilename);

/** A form with one file, which goes to disk as it comes, hashed on the way. */
class UploadForm {
  private readonly writers: WriteStream[] = [];
  private hasFile = false;
  private isClosed = false;

  constructor(
    private readonly uploadDir: string,
    private readonly maxFileSize: number,
  ) {}

  /** Leaves the file and the fields at the request. Rejects with what formidable or this service says against them. */
  async read(context: ApiContext): Promise<void> {
    let refuse: (reason: unknown) => void = () => undefined;
    const refused = new Promise<never>((_, reject) => (refuse = reject));
    const parse = koaBody({
      ...{ json: false, urlencoded: false, text: false, multipart: true },
      formidable: {
        ...{ uploadDir: this.uploadDir, hashAlgorithm: "sha256", allowEmptyFiles: true, minFileSize: 0 },
        ...{ maxFileSize: this.maxFileSize, maxTotalFileSize: this.maxFileSize },
        ...{ maxFields: mostFields, maxFieldsSize: aroundTheFile },
        fileWriteStreamHandler: (file?: object) => this.open((file as { readonly filepath: string }).filepath),
        onPart: (part: Part, handle: (part: Part) => unknown) => this.take(part, handle, refuse),
      },
      onError: (error: Error) => {
        throw error;
      },
    } as Parameters<typeof koaBody>[0]) as ApiMiddleware;
    try {
      await Promise.race([parse(context, () => Promise.resolve()), refused]);
    } finally {
      this.throwIfUnwritten();
    }
  }

  /** formidable passes over what could not be written, or fails at what comes after: the first cause is what counts. */
  private throwIfUnwritten(): void {
    for (const { errored } of this.writers) if (errored) throw errored;
  }

  /** Resolves once nothing is open any more, also where the form was not read to its end. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.writers.map(closed));
  }

  private take(part: Part, handle: (part: Part) => unknown, refuse: (reason: unknown) => void): void {
    if (this.isClosed) return;
    if (!isFile(part)) part.mimetype = null;
    else if (this.hasFile) return refuse(severalFiles());
    else this.takeAsFile(part);
    // The bytes come decoded; and formidable would decode them once more, as text in an encoding called "8bit".
    part.transferEncoding = "utf-8";
    Promise.resolve(handle(part)).catch(refuse);
  }

  private takeAsFile(part: Part): void {
    this.hasFile = true;
    part.mimetype ??= anything;
  }

  private open(path: string): WriteStream {
    const writer = createWriteStream(path);
    this.writers.push(writer);
    if (this.isClosed) writer.destroy();
    return writer;
  }
}

async function closed(writer: WriteStream): Promise<void> {
  if (writer.closed) return;
  await new Promise<void>((resolve) => {
    writer.once("close", () => resolve());
    writer.destroy();
  });
}

const severalFiles = (): RefusedRequest =>
  new RefusedRequest(invalidRequest([valueError(["body", "file"], "the form must hold one file")]));

/** The file of an upload, on this machine's disk for as long as the request lasts. */
interface ReceivedFile {
  readonly path: string;
  /** The name that its owner gave it, without a path. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The type that the part declares, in lower case and without parameters; null: it declares none. */
  readonly mimeType: string | null;
  readonly charset: string | null;
}

const file = ["body", "file"] as const;

/** A body of `multipart/form-data` with one file in the part `file`: it goes to disk as it comes, hashed on the way. */
export const uploadBody: RequestBody<ReceivedFile> = {
  mediaType: "multipart/form-data",
  message: unnamed({
    type: "object",
    required: ["file"],
    properties: { file: { type: "string", contentMediaType: "application/octet-stream" } },
  }),
  mostBytes: aroundTheFile,
  read: [receive],
  check: () => {
    throw new Error("An upload cannot be tried.");
  },
};

async function receive(context: ApiContext, next: () => Promise<void>): Promise<void> {
  const { req, services } = context;
  requireMultipart(req);
  if ((declaredLength(req) ?? 0) > mostBytes(context)) throw tooLarge(services.maxUploadBytes);
  await services.uploadQuotas.refuseWhoHasMost(personOf(context));
  await requireRoom(context, declaredLength(req) ?? services.maxUploadBytes);
  const place = await placeFor(context);
  try {
    // A request that is gone emits nothing any more, not even that it is gone.
    if (req.destroyed) throw broken(req, 0);
    askForBody(context);
    await readForm(context, place.path);
    context.state.body = await receivedIn(context);
    await next();
  } finally {
    await place.remove();
  }
}

function requireMultipart(request: IncomingMessage): void {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  if (declaredLength(request) === 0) throw invalid(missing(["body"]));
  if (encoding.toLowerCase() !== "identity" || !/^multipart\/form-data\s*;.*\bboundary=./is.test(type))
    throw new RefusedRequest(
      refusal(415, "The file must come uncompressed, as Content-Type: multipart/form-data with a boundary."),
    );
}

const mostBytes = ({ services }: ApiContext): number => services.maxUploadBytes + aroundTheFile;

async function readForm(context: ApiContext, folder: string): Promise<void> {
  const form = new UploadForm(folder, context.services.maxUploadBytes);
  try {
    await whole(context, () => form.read(context));
  } finally {
    await form.close();
  }
}

/**
 * Ends what reads the body where more comes than a file may have, as its own limits do not count everything; and where
 * the client goes away, as what begins to listen after that hears nothing.
 */
async function whole(context: ApiContext, read: () => Promise<void>): Promise<void> {
  const { req } = context;
  const most = mostBytes(context);
  const held = context.services.shares.onDisk.holding(holderOf(context));
  let received = 0;
  let refuse: (reason: Error) => void = () => undefined;
  const refused = new Promise<never>((_, reject) => (refuse = reject));
  const leave = (): void => {
    if (!req.readableEnded) refuse(broken(req, received));
  };
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > most) refuse(tooLarge(context.services.maxUploadBytes));
    else if (!held.grow(chunk.length)) refuse(noMore());
  };
  // The first listener for data makes it flow: so nothing is missed, and nothing comes before there is a reader.
  const listen = (event: string | symbol): void => {
    if (event !== "data") return;
    req.off("newListener", listen);
    req.on("data", count);
  };
  req.on("newListener", listen).once("close", leave);
  try {
    await Promise.race([read(), refused]);
  } catch (error) {
    // What still comes is read past, as the connection may be used again.
    req.removeAllListeners("data").resume();
    throw refusalOf(error, context, received);
  } finally {
    held.release();
    req.off("close", leave);
    req.off("newListener", listen);
    req.off("data", count);
  }
}

/** What formidable tells of a file that it has written. */
interface FormFile {
  readonly filepath: string;
  readonly originalFilename: string | null;
  readonly mimetype: string | null;
  readonly size: number;
  readonly hash: string;
}

async function receivedIn({ request }: ApiContext): Promise<ReceivedFile> {
  const { files = {} } = request as unknown as { readonly files?: Record<string, FormFile | FormFile[]> };
  const found = [files["file"] ?? []].flat()[0];
  if (found === undefined) throw invalid(missing(file));
  if (found.size === 0) throw invalid(valueError(file, "the file is empty"));
  const name = uploadNameOf(found.originalFilename ?? "");
  if (name === null) throw invalid(valueError(file, "the name of the file may have at most 255 characters"));
  return { path: found.filepath, name, sha256: found.hash, bytes: found.size, ...declaredType(found.mimetype ?? "") };
}

function declaredType(mediaType: string): Pick<ReceivedFile, "mimeType" | "charset"> {
  const [mimeType = "", ...parameters] = mediaType.toLowerCase().split(";");
  const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="))?.split("=")[1] ?? "";
  return { mimeType: mimeType.trim() || null, charset: charset.replaceAll('"', "").trim() || null };
}

const invalid = (...issues: Parameters<typeof invalidRequest>[0]): RefusedRequest =>
  new RefusedRequest(invalidRequest(issues));

const tooLarge = (maxBytes: number): RefusedRequest =>
  new RefusedRequest(refusal(413, `The file may have at most ${maxBytes} bytes.`));

/** formidable's numbers of what can be wrong with a form. */
const formErrors = { aborted: 1002, maxFieldsSizeExceeded: 1006, maxFieldsExceeded: 1007, unknownEncoding: 1014 };

/** What is wrong with a form, by those numbers. */
const wrong: Readonly<Record<number | string, string>> = {
  [formErrors.maxFieldsSizeExceeded]: `the fields beside the file may have at most ${aroundTheFile} bytes together`,
  [formErrors.maxFieldsExceeded]: `the form may have at most ${mostFields} fields beside the file`,
  [formErrors.unknownEncoding]:
    "a part has a Content-Transfer-Encoding that cannot be read; send its bytes as they are",
};

function refusalOf(error: unknown, { req, services }: ApiContext, received: number): unknown {
  const full = fullOr(error);
  if (full instanceof DiskFull) return full;
  const { code, httpCode } = error as { readonly code?: number | string; readonly httpCode?: number };
  if (code === formErrors.aborted || (req.destroyed && !req.complete)) return broken(req, received);
  const problem = wrong[code ?? ""];
  if (problem !== undefined) return invalid(valueError(["body"], problem));
  if (httpCode === 413) return tooLarge(services.maxUploadBytes);
  if (httpCode === undefined || httpCode >= 500) return error;
  return invalid(valueError(["body"], "the form is malformed"));
}

const longest = 255;

/**
 * What a file is called, without the path that some programs send, in NFC and without control characters; null: it is
 * too long. A file that nobody named is called `file`.
 */
export function uploadNameOf(given: string): string | null {
  const name = given
    .normalize("NFC")
    .replace(/^.*[/\\]/s, "")
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
  if (isLongerThan(name, longest)) return null;
  return name === "" || name === "." || name === ".." ? "file" : name;
}
