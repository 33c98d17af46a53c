import type { ApiMiddleware } from "../apiContext.js";

let endOfTurn: Promise<void> | null = null;

/** Resolves once the requests that have come in this turn of the event loop have been read. */
const turnEnded = (): Promise<void> =>
  (endOfTurn ??= new Promise((resolve) =>
    setImmediate(() => {
      endOfTurn = null;
      resolve();
    }),
  ));

/**
 * Answers leave together, at the end of the event loop's turn in which they were made. A peer that sleeps is woken by
 * the first of them, and the rest find it awake: waking it costs this process more than the rest of a short answer.
 */
export const answerTogether: ApiMiddleware = async (_context, next) => {
  await next();
  await turnEnded();
};
