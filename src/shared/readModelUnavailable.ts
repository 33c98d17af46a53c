/**
 * Thrown by a reader where its engine cannot answer now: it is down, or it lost what it held and is being filled again.
 * It never means "no": whoever asks is told to come back (503), also where a credential is checked.
 */
export class ReadModelUnavailable extends Error {
  override readonly name = "ReadModelUnavailable";

  /** `retryAfterSeconds` is when to ask again. */
  constructor(
    message: string,
    readonly retryAfterSeconds = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Thrown by a reader whose engine answers, but lacks what this one answer rests on. Whoever asked is told to come back,
 * as above; whoever looks for what is missing has found it.
 */
export class ReadModelIncomplete extends ReadModelUnavailable {}
