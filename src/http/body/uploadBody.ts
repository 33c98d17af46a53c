import type { IncomingMessage } from "node:http";
import { DiskFull } from "../../shared/engineUnavailable.js";
import type { ApiContext } from "../apiContext.js";
import { invalidRequest, refusal } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import type { RequestBody } from "../route.js";
import { missing, valueError } from "../validation/issue.js";
import { unnamed } from "../validation/message.js";
import { askForBody, broken, declaredLength } from "./acceptBody.js";
import { aroundTheFile, mostFields, UploadForm } from "./uploadForm.js";
import { uploadNameOf } from "./uploadName.js";

/** The file of an upload, on this machine's disk for as long as the request lasts. */
export interface ReceivedFile {
  readonly path: string;
  /** As its owner called it, without a path. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** As the part declares it, in lower case and without parameters; null: it does not. */
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
  read: [receive],
  check: () => {
    throw new Error("An upload cannot be tried.");
  },
};

async function receive(context: ApiContext, next: () => Promise<void>): Promise<void> {
  const { req, services } = context;
  requireMultipart(req);
  if ((declaredLength(req) ?? 0) > mostBytes(context)) throw tooLarge(services.maxUploadBytes);
  if (await services.disk.isFull()) throw new DiskFull("The disk of the data folder has no room for an upload.");
  const place = await services.uploads.make().catch((error: unknown) => {
    throw whereFull(error) ?? error;
  });
  try {
    // Of a request that is gone nothing is heard any more, not even that.
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
  let received = 0;
  let refuse: (reason: Error) => void = () => undefined;
  const refused = new Promise<never>((_, reject) => (refuse = reject));
  const leave = (): void => {
    if (!req.readableEnded) refuse(broken(req, received));
  };
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received <= most) return;
    refuse(tooLarge(context.services.maxUploadBytes));
  };
  // Whoever listens for data makes it flow: so nothing is missed, and nothing comes before there is a reader.
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

/** null: the error is another one than that there is no room. */
function whereFull(error: unknown): DiskFull | null {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? new DiskFull("An upload found no room.", { cause: error }) : null;
}

function refusalOf(error: unknown, { req, services }: ApiContext, received: number): unknown {
  const full = whereFull(error);
  if (full !== null) return full;
  const { code, httpCode } = error as { readonly code?: number | string; readonly httpCode?: number };
  if (code === formErrors.aborted || (req.destroyed && !req.complete)) return broken(req, received);
  const problem = wrong[code ?? ""];
  if (problem !== undefined) return invalid(valueError(["body"], problem));
  if (httpCode === 413) return tooLarge(services.maxUploadBytes);
  if (httpCode === undefined || httpCode >= 500) return error;
  return invalid(valueError(["body"], "the form is malformed"));
}
