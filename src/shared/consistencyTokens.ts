import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { toPosition, type Position } from "./position.js";

const cipher = "aes-128-ecb";
const keyBytes = 16;
/** One block: the position in its first half, zeros in the second, by which a token is known again. */
const blockBytes = 16;
const checkAt = 8;

const form = /^p2-[A-Za-z0-9_-]{22}$/;

/** Whether a text looks like a consistency token, of this log or another. */
export const isConsistencyToken = (text: string): boolean => form.test(text);

/**
 * The consistency tokens of a log: positions that clients can hand back and nothing else, neither read nor compare.
 * They are encrypted with a key that follows from the id of the log's first event: every process on the log has it, no
 * client is told it, and another log's tokens do not fit (ADR 20).
 */
export class ConsistencyTokens {
  private key: Buffer | null = null;

  /** `firstEventId`: null while the log is empty. */
  constructor(private readonly firstEventId: () => Promise<string | null>) {}

  /** The token of a position. null while the log is empty: then there is nothing to wait for. */
  async of(position: Position): Promise<string | null> {
    const key = await this.keyOfLog();
    if (key === null) return null;
    const block = Buffer.alloc(blockBytes);
    block.writeBigUInt64BE(position);
    return `p2-${createCipheriv(cipher, key, null).setAutoPadding(false).update(block).toString("base64url")}`;
  }

  /** The position behind a token; null where it is none of this log. */
  async positionOf(token: string): Promise<Position | null> {
    const key = isConsistencyToken(token) ? await this.keyOfLog() : null;
    if (key === null) return null;
    const encrypted = Buffer.from(token.slice(3), "base64url");
    const block = createDecipheriv(cipher, key, null).setAutoPadding(false).update(encrypted);
    return block.readBigUInt64BE(checkAt) === 0n ? toPosition(block.readBigUInt64BE()) : null;
  }

  private async keyOfLog(): Promise<Buffer | null> {
    if (this.key !== null) return this.key;
    const id = await this.firstEventId();
    if (id === null) return null;
    return (this.key = createHash("sha256").update(`consistency tokens of ${id}`).digest().subarray(0, keyBytes));
  }
}
