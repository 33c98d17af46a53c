/** Thrown where a chat cannot be answered as it was asked, or not to its end. The message is a sentence for people. */
export class ChatFailure extends Error {
  override readonly name = "ChatFailure";

  constructor(
    readonly failure: {
      readonly status: 400 | 404 | 422 | 429 | 502 | 503 | 504;
      readonly message: string;
      /** What programs know it by. */
      readonly code: string;
      /** The key of the request that it is about; null: none. */
      readonly param?: string;
      /** Seconds, or a date. */
      readonly retryAfter?: string;
    },
  ) {
    super(failure.message);
  }
}

export const modelNotFound = (id: string): ChatFailure =>
  new ChatFailure({
    ...{ status: 404, code: "model_not_found", param: "model" },
    message: `There is no model with the id ${JSON.stringify(id)}. GET /api/beta/amberai/models lists those that there are.`,
  });
