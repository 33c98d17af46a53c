import { Readable } from "node:stream";
import type { ApiMiddleware } from "../apiContext.js";

/**
 * What goes for every answer: nobody takes it for something else, and nobody stores it unless its route says so. The
 * headers of a stream leave before its first chunk, which may take long to make: somebody on the way may wait for a
 * sign of life.
 */
export const answerHeaders: ApiMiddleware = async (context, next) => {
  context.set("X-Content-Type-Options", "nosniff");
  context.set("Cache-Control", "no-store");
  await next();
  if (context.body instanceof Readable && context.method !== "HEAD") context.flushHeaders();
};
