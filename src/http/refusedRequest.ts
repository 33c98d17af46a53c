/** An answer that is no success: what the client did, or what is not available. */
export interface Refusal {
  readonly status: number;
  /** A JSON value (spec: Errors). */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends a request with a refusal, from wherever it is thrown. Expected: not logged as an error. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";

  constructor(readonly refusal: Refusal) {
    super(`Refused with ${refusal.status}.`);
  }
}

/** What a client gets for what was thrown, whatever it was; the log is told what is not its doing. */
export type RefusalOf = (error: unknown, requestId: string) => Refusal;
