import { createWriteStream, type WriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { DiskFull, DiskReserved } from "../../shared/failures.js";
import type { Holding } from "../../shared/shares.js";
import type { ApiContext } from "../apiContext.js";
import type { ReceivedBody, UploadPlace } from "../ports.js";
import type { RefusedRequest } from "../refusedRequest.js";
import {
  holderOf,
  noMore,
  askForBody,
  broken,
  declaredLength,
  isGzipped,
  notGzip,
  requireJsonBody,
} from "./acceptBody.js";

/** Larger bodies come to disk: what comes slowly holds no memory (docs/design/http.md). */
export const mostInMemory = 262_144;

/** Most bodies up to this size have come with their headers. */
const smallBodyBytes = 65_536;

/** How large a body may be, and what is said of one that is larger. */
export interface ReceivedBodyLimits {
  readonly maxBytes: number;
  tooLarge(): RefusedRequest;
}

/** A JSON body of up to hundreds of megabytes. To be removed once nothing of it is needed any more. */
export class IncomingBody {
  private readonly held: Holding;
  private length = 0;
  /** What has come, as long as it is little. */
  private pieces: Buffer[] = [];
  private place: UploadPlace | null = null;
  private file: WriteStream | null = null;
  private opening: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: ApiContext,
    private readonly limits: ReceivedBodyLimits,
  ) {
    this.held = context.services.shares.onDisk.holding(holderOf(context));
  }

  /**
   * Resolves once all of it is there. Refused is what {@link requireJsonBody} refuses, a body that turns out too large,
   * one that is more than its holder's share of the disk (503), and one whose client goes away (400).
   */
  async whole(): Promise<ReceivedBody> {
    const { req } = this.context;
    const isPlain = !isGzipped(req);
    requireJsonBody(req, isPlain ? this.limits.maxBytes : Number.POSITIVE_INFINITY, this.limits.tooLarge);
    const gunzip = isPlain ? null : inflated(req);
    try {
      askForBody(this.context);
      return arrived(req, isPlain) ?? (await this.collect(gunzip ?? req));
    } finally {
      if (gunzip !== null) req.unpipe(gunzip);
      gunzip?.destroy();
    }
  }

  /** Never rejects. May be called again. */
  async remove(): Promise<void> {
    this.held.release();
    await this.place?.remove();
    this.place = null;
  }

  /** Listens instead of iterating, which costs half. */
  private async collect(bytes: Readable): Promise<ReceivedBody> {
    const { req } = this.context;
    try {
      return await new Promise<ReceivedBody>((resolve, reject) => {
        const gone = (): void => reject(broken(req, this.length));
        if (req.destroyed) return gone();
        bytes
          .on("data", (piece: Buffer) => this.take(piece, bytes, reject))
          .once("error", () => bytes !== req && reject(notGzip()))
          .once("close", gone)
          .once("end", () => {
            bytes.off("close", gone);
            this.end(resolve);
          });
      });
    } catch (error) {
      // What still comes is read past, as the connection may be used again.
      bytes.removeAllListeners("data").resume();
      await this.opening.catch(() => undefined);
      await closed(this.file);
      throw error;
    }
  }

  private take(piece: Buffer, bytes: Readable, reject: (reason: unknown) => void): void {
    const before = this.length <= mostInMemory ? 0 : this.length;
    this.length += piece.length;
    if (this.length > this.limits.maxBytes) return reject(this.limits.tooLarge());
    if (this.length <= mostInMemory) return void this.pieces.push(piece);
    if (!this.held.grow(this.length - before)) return reject(noMore());
    if (this.file !== null) return void (this.file.write(piece) || bytes.pause());
    this.pieces.push(piece);
    this.opening = this.toDisk(bytes, reject);
    this.opening.catch(reject);
  }

  /** Nothing comes while it is paused, not even its end. */
  private async toDisk(bytes: Readable, reject: (reason: unknown) => void): Promise<void> {
    bytes.pause();
    const file = await this.openFile();
    this.file = file.on("drain", () => bytes.resume()).on("error", (error) => reject(fullOr(error)));
    for (const piece of this.pieces) file.write(piece);
    this.pieces = [];
    bytes.resume();
  }

  private end(resolve: (body: ReceivedBody) => void): void {
    const { file, length } = this;
    if (file === null) resolve({ kind: "bytes", bytes: Buffer.concat(this.pieces) });
    else file.end(() => resolve({ kind: "file", path: String(file.path), length }));
  }

  private async openFile(): Promise<WriteStream> {
    this.place = await placeFor(this.context);
    return createWriteStream(join(this.place.path, "body"), { mode: 0o600 });
  }
}

/** Ends without its end where the client goes away, as the request does. */
function inflated(request: IncomingMessage): Gunzip {
  const gunzip = createGunzip().on("error", () => undefined);
  request.once("close", () => request.readableEnded || gunzip.destroy());
  return request.pipe(gunzip);
}

/**
 * Most small bodies come with their headers, and have arrived while the credential was looked at: no event is waited
 * for.
 */
function arrived(request: IncomingMessage, isPlain: boolean): ReceivedBody | null {
  const declared = declaredLength(request);
  if (!isPlain || declared === undefined || declared > smallBodyBytes || request.readableLength !== declared)
    return null;
  const bytes = request.read() as Buffer | null;
  return bytes && { kind: "bytes", bytes };
}

async function closed(file: WriteStream | null): Promise<void> {
  if (file === null || file.closed) return;
  await new Promise<void>((resolve) => {
    file.once("close", () => resolve());
    file.destroy();
  });
}

/** Refuses (503) what documents and uploads have to leave free on the disk. */
export async function requireRoom({ services: { disk } }: ApiContext, bytes: number): Promise<void> {
  if (!(await disk.hasRoomFor(bytes))) throw new DiskReserved("The disk of the data folder has no room for a body.");
}

/** A folder for what comes with a request. Rejects with {@link DiskFull} where there is no room for one. */
export function placeFor({ services: { uploads } }: ApiContext): Promise<UploadPlace> {
  return uploads.make().catch((error: unknown) => {
    throw fullOr(error);
  });
}

/** {@link DiskFull} where that is what the error says. */
export function fullOr(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? new DiskFull("A body found no room.", { cause: error }) : error;
}
