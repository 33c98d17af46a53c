/** Thrown where the web cannot be searched now, for no fault of the request: its sender is told to come back (503). */
export class WebSearchUnavailable extends Error {
  override readonly name = "WebSearchUnavailable";

  /** `message` is a sentence for the client. `retryAfterSeconds` is null where nobody knows. */
  constructor(
    message: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}
