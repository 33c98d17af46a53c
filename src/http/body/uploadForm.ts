import { createWriteStream, type WriteStream } from "node:fs";
import type { Stream } from "node:stream";
import { koaBody } from "koa-body";
import type { ApiContext, ApiMiddleware } from "../apiContext.js";
import { invalidRequest } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import { valueError } from "../validation/issue.js";

/** For the boundaries and headers of the parts, and for short fields beside the file. */
export const aroundTheFile = 65_536;

/** Beside the file. */
export const mostFields = 16;
const anything = "application/octet-stream";

/** What formidable tells of a part before its bytes come. */
interface Part extends Stream {
  readonly name: string | null;
  readonly originalFilename: string | null;
  /** formidable takes for a file what has one, and nothing else. */
  mimetype: string | null;
  transferEncoding?: string;
}

/** Every part is a file that has a name for one, or is called as the file is: a media type is optional (RFC 7578, 4.4). */
const isFile = ({ name, originalFilename }: Part): boolean => name === "file" || Boolean(originalFilename);

/** A form with one file, which goes to disk as it comes, hashed on the way. */
export class UploadForm {
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
