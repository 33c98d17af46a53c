import type { IncomingMessage, ServerResponse } from "node:http";
import { missing } from "../validation/issue.js";
import { RefusedRequest } from "./answer.js";
import { errorAnswer, invalidRequest } from "./envelopes.js";

/** Bodies that are to be large ask for memory before they are read. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** What to do about a body that is larger, as a sentence. */
  readonly advice?: string;
  /** Resolves once so many bytes may be held; the answer gives them back. Left out: no need to ask. */
  reserve?(bytes: number): Promise<() => void>;
  /** From how many bytes on `reserve` is asked. */
  readonly reserveFrom?: number;
}

export interface ReadBody {
  readonly bytes: Buffer;
  /** Gives back what was reserved. Call it when the bytes are no longer needed. */
  release(): void;
}

/** An unread body up to this size is read past after the answer, which keeps the connection. */
export const skippedBodyBytes = 65_536;

const nothing = (): void => undefined;

/**
 * Reads a JSON body. Refuses other content types (415), an empty body (422), and one above the limit (413): by its
 * Content-Length before a byte is read, else as soon as the limit is passed.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<ReadBody> {
  const declared = declaredLength(request);
  if (declared === 0) throw new RefusedRequest(invalidRequest([missing(["body"])]));
  requireJson(request);
  if (declared !== undefined && declared > limits.maxBytes) throw tooLarge(limits);
  const expected = declared ?? limits.maxBytes;
  const release =
    limits.reserve !== undefined && expected > (limits.reserveFrom ?? 0) ? await limits.reserve(expected) : nothing;
  try {
    if (request.headers.expect === "100-continue") response.writeContinue();
    return { bytes: arrived(request, declared) ?? (await collect(request, declared, limits)), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** 0 where the request has no body; undefined where its length is not said. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  const length = headers["content-length"];
  if (length !== undefined) return Number(length);
  return headers["transfer-encoding"] === undefined ? 0 : undefined;
}

const jsonType = /^application\/(json|[a-z0-9!#$&^_.-]+\+json)$/;

function requireJson({ headers }: IncomingMessage): void {
  const type = headers["content-type"];
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw unsupported(`The content encoding ${encoding} is not supported. Send the body uncompressed.`);
  if (type === "application/json") return;
  const [essence = "", ...parameters] = (type ?? "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (!jsonType.test(essence)) throw unsupported("The body must be JSON: send Content-Type: application/json.");
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "");
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8")
    throw unsupported("The body must be in UTF-8, which JSON requires.");
}

const unsupported = (detail: string): RefusedRequest => new RefusedRequest(errorAnswer(415, detail));

const tooLarge = ({ maxBytes, advice }: BodyLimits): RefusedRequest =>
  new RefusedRequest(
    errorAnswer(413, `The body may have at most ${maxBytes} bytes.${advice === undefined ? "" : ` ${advice}`}`),
  );

/**
 * Most small bodies come with their headers, and have arrived while the credential was looked at: no event is waited
 * for.
 */
function arrived(request: IncomingMessage, declared: number | undefined): Buffer | null {
  if (declared === undefined || declared > skippedBodyBytes || request.readableLength !== declared) return null;
  return request.read() as Buffer | null;
}

/** Listens instead of iterating, which costs half. */
function collect(request: IncomingMessage, declared: number | undefined, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collected = new CollectedBody(declared);
    const take = (chunk: Buffer): void => {
      if (collected.length + chunk.length <= limits.maxBytes) {
        collected.add(chunk);
        return;
      }
      request.off("data", take).pause();
      reject(tooLarge(limits));
    };
    let ended = false;
    const finish = (): void => {
      ended = true;
      resolve(collected.bytes());
    };
    const fail = (): void => {
      if (ended) return;
      const expected = declared ?? "an unknown number of";
      reject(
        new RefusedRequest(
          errorAnswer(400, `The connection ended after ${collected.length} of ${expected} bytes of the body.`),
        ),
      );
    };
    request.on("data", take).once("end", finish).once("close", fail);
  });
}

const smallBody = 1_048_576;

/**
 * Few chunks are put together in the end; many are copied as they come, so that no single copy holds up the event loop.
 */
class CollectedBody {
  length = 0;
  private chunks: Buffer[] = [];
  private buffer: Buffer | null;

  constructor(declared: number | undefined) {
    this.buffer = declared !== undefined && declared > smallBody ? Buffer.allocUnsafeSlow(declared) : null;
  }

  add(chunk: Buffer): void {
    if (this.buffer === null && this.length + chunk.length <= smallBody) this.chunks.push(chunk);
    else chunk.copy(this.withRoom(chunk.length), this.length);
    this.length += chunk.length;
  }

  bytes(): Buffer {
    if (this.buffer !== null) return this.buffer.subarray(0, this.length);
    const [first, ...others] = this.chunks;
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.chunks, this.length);
  }

  private withRoom(bytes: number): Buffer {
    const needed = this.length + bytes;
    if (this.buffer !== null && this.buffer.length >= needed) return this.buffer;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.length));
    if (this.buffer === null) Buffer.concat(this.chunks, this.length).copy(larger);
    else this.buffer.copy(larger, 0, 0, this.length);
    this.chunks = [];
    this.buffer = larger;
    return larger;
  }
}
