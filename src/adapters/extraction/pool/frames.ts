import { readSync, writeSync } from "node:fs";

/** What goes from process to process: a JSON value, and bytes. */
export interface Frame {
  readonly header: unknown;
  readonly bytes: Uint8Array;
}

/** The length of the header and that of the bytes. */
const prefixBytes = 8;

/** The beginning of a frame, up to its bytes. */
export function frameHead(header: unknown, bytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.allocUnsafe(prefixBytes + json.length);
  head.writeUInt32LE(json.length, 0);
  head.writeUInt32LE(bytes, 4);
  json.copy(head, prefixBytes);
  return head;
}

/** Waits for a frame, and for nothing else: the event loop stands still. null: there will be none. */
export function readFrame(fd: number): Frame | null {
  const prefix = readBytes(fd, prefixBytes);
  if (prefix === null) return null;
  const header = readBytes(fd, prefix.readUInt32LE(0));
  const bytes = readBytes(fd, prefix.readUInt32LE(4));
  return header === null || bytes === null ? null : { header: JSON.parse(header.toString()), bytes };
}

function readBytes(fd: number, count: number): Buffer | null {
  const bytes = Buffer.allocUnsafeSlow(count);
  for (let at = 0; at < count;) {
    const read = readSync(fd, bytes, at, count - at, null);
    if (read === 0) return null;
    at += read;
  }
  return bytes;
}

/** Writes a frame, and waits until the other side has taken it. */
export function writeFrame(fd: number, header: unknown, bytes: Uint8Array): void {
  for (const part of [frameHead(header, bytes.byteLength), bytes])
    for (let at = 0; at < part.byteLength;) at += writeSync(fd, part, at);
}

interface FrameLimits {
  readonly headerBytes: number;
  readonly bytes: number;
  /** Bytes of more than this lie in memory that threads share. */
  readonly sharedFrom: number;
}

/** Puts frames together from what arrives. */
export class FrameAssembly {
  private readonly stages = [
    (prefix: Buffer) => this.expectHeader(prefix),
    (header: Buffer) => this.expectBytes(header),
    (bytes: Buffer) => this.complete(bytes),
  ];
  private stage = 0;
  private target: Buffer = Buffer.alloc(prefixBytes);
  private filled = 0;
  private length = 0;
  private header: unknown = null;
  private isBroken = false;

  /** `onBroken`: what arrives is no frame, or a longer one than may be. Nothing is assembled any more. */
  constructor(
    private readonly limits: FrameLimits,
    private readonly onFrame: (frame: Frame) => void,
    private readonly onBroken: () => void,
  ) {}

  add(chunk: Buffer): void {
    for (let at = 0; !this.isBroken;) {
      if (this.filled === this.target.length) {
        this.filled = 0;
        this.stages[this.stage]?.(this.target);
        continue;
      }
      if (at === chunk.length) return;
      const copied = chunk.copy(this.target, this.filled, at);
      this.filled += copied;
      at += copied;
    }
  }

  private expectHeader(prefix: Buffer): void {
    const header = prefix.readUInt32LE(0);
    this.length = prefix.readUInt32LE(4);
    if (header > this.limits.headerBytes || this.length > this.limits.bytes) return this.break();
    this.expect(1, Buffer.allocUnsafe(header));
  }

  private expectBytes(header: Buffer): void {
    try {
      this.header = JSON.parse(header.toString()) as unknown;
    } catch {
      return this.break();
    }
    const { length } = this;
    this.expect(2, length > this.limits.sharedFrom ? Buffer.from(new SharedArrayBuffer(length)) : Buffer.alloc(length));
  }

  private complete(bytes: Buffer): void {
    const { header } = this;
    this.expect(0, Buffer.alloc(prefixBytes));
    this.onFrame({ header, bytes });
  }

  private expect(stage: number, target: Buffer): void {
    this.stage = stage;
    this.target = target;
  }

  private break(): void {
    this.isBroken = true;
    this.onBroken();
  }
}
