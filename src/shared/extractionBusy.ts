/** Thrown where a file cannot be read now, for no fault of its own: whoever sent it is told to come back (503). */
export class ExtractionBusy extends Error {
  override readonly name = "ExtractionBusy";

  /** `message` is a sentence for the client. */
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}
