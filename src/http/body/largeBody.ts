import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApiContext } from "../apiContext.js";
import type { Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import {
  askForBody,
  broken,
  declaredLength,
  isGzipped,
  notGzip,
  requireJsonBody,
  tooLarge,
  type BodyLimits,
} from "./acceptBody.js";
import type { RefusedRequest } from "../refusedRequest.js";
import type { MemoryBudget, Reservation } from "./memoryBudget.js";
import { SingleDocumentScan } from "./singleDocumentScan.js";

export interface ReadBody {
  /** The bytes, in order. Where there is more than one block, each lies in memory of its own. */
  readonly blocks: readonly Buffer[];
  /** Gives back what was reserved. Call it when nothing that was made of the bytes is needed any more. */
  release(): void;
}

/** As much of a body is taken without asking for memory; the rest in blocks of this size. */
const blockBytes = 1_048_576;
/** A body whose length is not said begins with a block of this size. */
const firstBlockBytes = 65_536;
/** Most bodies up to this size have come with their headers. */
const smallBodyBytes = 65_536;

/** How large a body may be, and what is said of one that is larger, as far as it was read. */
export interface LargeBodyLimits extends BodyLimits {
  readonly readBytes: number;
  /** null: it is too large, and nothing else is known of it. What was seen may be its beginning. */
  refusalOf(larger: SingleDocumentScan): RefusedRequest | null;
}

/**
 * Reads a JSON body of up to hundreds of megabytes, which koa-body would hold twice, and copy in one go. It is taken off
 * the connection only as fast as there is memory for it. Refused is what {@link requireJsonBody} refuses, a body that
 * is too large, also where that shows only while it comes, and one whose client goes away, also while it waits (400).
 */
export async function readLargeBody(
  context: ApiContext,
  limits: LargeBodyLimits,
  memory: MemoryBudget,
): Promise<ReadBody> {
  const { req } = context;
  requireJsonBody(req, limits);
  const reservation = memory.reservation();
  const release = (): void => reservation.release();
  const gzip = isGzipped(req) ? inflated(req) : null;
  const declared = gzip === null ? declaredLength(req) : undefined;
  const body: IncomingBody = { request: req, bytes: gzip ?? req };
  try {
    askForBody(context);
    if (declared !== undefined && declared > limits.maxBytes) throw await refusalOfLarger(body, limits);
    return { blocks: arrived(req, declared) ?? (await collect(body, { declared, limits, reservation })), release };
  } catch (error) {
    release();
    throw error;
  } finally {
    if (gzip !== null) req.unpipe(gzip);
    gzip?.destroy();
  }
}

/** A body as it comes: the request, and the bytes that it means. */
interface IncomingBody {
  readonly request: IncomingMessage;
  readonly bytes: Readable;
}

/** Ends without its end where the client goes away, as the request does. */
function inflated(request: IncomingMessage): Gunzip {
  const gunzip = createGunzip().on("error", () => undefined);
  request.once("close", () => request.complete || gunzip.destroy());
  return request.pipe(gunzip);
}

/**
 * Most small bodies come with their headers, and have arrived while the credential was looked at: no event is waited
 * for.
 */
function arrived(request: IncomingMessage, declared: number | undefined): readonly Buffer[] | null {
  if (declared === undefined || declared > smallBodyBytes || request.readableLength !== declared) return null;
  const bytes = request.read() as Buffer | null;
  return bytes && [bytes];
}

interface Collecting {
  readonly declared: number | undefined;
  readonly limits: LargeBodyLimits;
  readonly reservation: Reservation;
}

/** Listens instead of iterating, which costs half. */
function collect(
  { request, bytes }: IncomingBody,
  { declared, limits, reservation }: Collecting,
): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const body = new CollectedBody(declared ?? limits.maxBytes, declared ?? firstBlockBytes);
    const whole = (): void => resolve(body.blocks());
    const fail = (): void => reject(broken(request, body.length));
    if (request.destroyed) return fail();
    const add = (chunk: Buffer): void => {
      const rest = body.add(chunk);
      if (rest === null) return;
      // Nothing comes while it is paused, so the rest stays the next.
      bytes.pause();
      void reservation.grow(body.nextBlockBytes).then(() => goOn(rest));
    };
    const goOn = (rest: Buffer): void => {
      body.addBlock();
      add(rest);
      bytes.resume();
    };
    const take = (chunk: Buffer): void => {
      if (body.length + chunk.length <= limits.maxBytes) return add(chunk);
      bytes.off("data", take).off("end", whole).off("close", fail).pause();
      void refusalOfLarger({ request, bytes }, limits, body.giveAway(chunk), () => reservation.release()).then(reject);
    };
    bytes.on("data", take).once("end", whole).once("close", fail);
    if (bytes !== request) bytes.once("error", () => reject(notGzip()));
  });
}

/**
 * What is said of a body that is too large. It is read on, up to another limit, and none of it is held: a client that
 * does not read while it sends gets its answer, and the memory of others is not needed. `begun`: what has come of it,
 * which is let go of.
 */
async function refusalOfLarger(
  { request, bytes }: IncomingBody,
  limits: LargeBodyLimits,
  begun: Buffer[] = [],
  release: () => void = () => undefined,
): Promise<RefusedRequest> {
  const scan = new SingleDocumentScan();
  let received = 0;
  const look = (piece: Buffer): void => {
    scan.add(piece);
    received += piece.length;
  };
  for (let piece = begun.shift(); piece !== undefined && scan.isSingle; piece = begun.shift()) {
    look(piece);
    await nextTurn();
  }
  release();
  return new Promise((resolve) => {
    const refused = (): RefusedRequest => limits.refusalOf(scan) ?? tooLarge(limits);
    const end = (): void => {
      bytes.off("data", take).pause();
      resolve(scan.isSingle ? refused() : tooLarge(limits));
    };
    const take = (piece: Buffer): void => {
      look(piece);
      if (!scan.isSingle || received > limits.readBytes) end();
    };
    if (!scan.isSingle) return end();
    if (request.destroyed) return resolve(broken(request, received));
    bytes
      .on("data", take)
      .once("end", () => resolve(refused()))
      .once("close", () => resolve(broken(request, received)))
      .resume();
    if (bytes !== request) bytes.once("error", () => resolve(notGzip()));
  });
}

/**
 * A body in blocks, into which it is copied as it comes: no copy is long enough to hold up the event loop, and a body
 * that comes in small pieces costs no more than its bytes.
 */
class CollectedBody {
  length = 0;
  private full: Buffer[] = [];
  private block: Buffer;
  private filled = 0;

  /** `longest`: no more bytes will come. */
  constructor(
    private readonly longest: number,
    firstBlock: number,
  ) {
    this.block = Buffer.allocUnsafeSlow(Math.min(firstBlock, blockBytes));
  }

  /** Adds as much as the block takes. The rest needs another one; null: there is none. */
  add(chunk: Buffer): Buffer | null {
    const copied = chunk.copy(this.block, this.filled);
    this.filled += copied;
    this.length += copied;
    return copied === chunk.length ? null : chunk.subarray(copied);
  }

  get nextBlockBytes(): number {
    return Math.min(blockBytes, this.longest - this.length);
  }

  addBlock(): void {
    this.full.push(this.block);
    this.block = Buffer.allocUnsafeSlow(this.nextBlockBytes);
    this.filled = 0;
  }

  /** The body with what follows it. Nothing of it is held here any more. */
  giveAway(next: Buffer): Buffer[] {
    const blocks = [...this.blocks(), next];
    this.full = [];
    this.block = Buffer.alloc(0);
    this.filled = 0;
    return blocks;
  }

  blocks(): readonly Buffer[] {
    return [...this.full, this.block.subarray(0, this.filled)];
  }
}
