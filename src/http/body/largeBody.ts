import type { IncomingMessage } from "node:http";
import type { ApiContext } from "../apiContext.js";
import { askForBody, broken, declaredLength, requireJsonBody, tooLarge, type BodyLimits } from "./acceptBody.js";
import type { MemoryBudget } from "./memoryBudget.js";

export interface ReadBody {
  readonly bytes: Buffer;
  /** Gives back what was reserved. Call it when the bytes are no longer needed. */
  release(): void;
}

/** Bodies from here on ask for memory first. */
const reserveFrom = 1_048_576;
/** Most bodies up to this size have come with their headers. */
const smallBodyBytes = 65_536;
const nothing = (): void => undefined;

/**
 * Reads a JSON body of up to hundreds of megabytes, which koa-body would hold twice, and copy in one go. A body that is
 * to be large waits until there is memory for it before it is asked for. Refused is what {@link requireJsonBody}
 * refuses, and a body that grows too large while it comes (413).
 */
export async function readLargeBody(context: ApiContext, limits: BodyLimits, memory: MemoryBudget): Promise<ReadBody> {
  const { req } = context;
  requireJsonBody(req, limits);
  const declared = declaredLength(req);
  const expected = declared ?? limits.maxBytes;
  const release = expected > reserveFrom ? await memory.reserve(expected) : nothing;
  try {
    askForBody(context);
    return { bytes: arrived(req, declared) ?? (await collect(req, declared, limits)), release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Most small bodies come with their headers, and have arrived while the credential was looked at: no event is waited
 * for.
 */
function arrived(request: IncomingMessage, declared: number | undefined): Buffer | null {
  if (declared === undefined || declared > smallBodyBytes || request.readableLength !== declared) return null;
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
      if (!ended) reject(broken(request, collected.length));
    };
    request.on("data", take).once("end", finish).once("close", fail);
  });
}

const smallBody = 1_048_576;

/**
 * A small body is put together at the end; a large one is copied as it comes, so that no single copy holds up the event
 * loop.
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
