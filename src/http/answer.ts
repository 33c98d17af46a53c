import type { Position } from "../shared/position.js";

/**
 * What leaves the service: a JSON value, ready bytes with their media type, or bytes without bounds, chunk by chunk.
 */
export interface Answer {
  readonly status: number;
  /** A JSON value. Undefined: no body. */
  readonly body?: unknown;
  /** Instead of `body`. */
  readonly raw?: { readonly type: string; readonly bytes: Buffer };
  /**
   * Instead of `body`: a chunk is asked for when the client has taken the one before. Where making one fails the
   * connection is cut, so that nobody takes a part for the whole.
   */
  readonly stream?: { readonly type: string; readonly chunks: AsyncIterable<string | Uint8Array> };
  /** Name, value, name, value. */
  readonly headers?: readonly string[];
  /** Becomes `X-Consistency-Token`. */
  readonly position?: Position | null;
}

/** The answer of a request that succeeded (decisions: 200 everywhere, creation included). */
export const success = (body: unknown, position?: Position | null): Answer => ({ status: 200, body, position });

/** Ends a request early with an answer. Expected: not logged as an error. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";

  constructor(readonly answer: Answer) {
    super(`Refused with ${answer.status}.`);
  }
}
