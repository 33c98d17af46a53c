import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, createGzip, gzip } from "node:zlib";
import type { ApiContext, ApiMiddleware } from "../apiContext.js";

/** Shorter answers gain nothing. */
const leastBytes = 1_024;
/** What is text, but for streams of events: each of these is to arrive when it is written. */
const compressible =
  /^(?:application\/(?:[\w.+-]*\+)?json|application\/(?:java|ecma)script|image\/svg\+xml|text\/(?!event-stream))/;
const compressed = promisify(gzip);

/**
 * Compresses answers for whoever takes gzip. `koa-compress` would make a stream of each, whose length nobody knows any
 * more.
 */
export const compressAnswers: ApiMiddleware = async (context, next) => {
  await next();
  if (!context.body || context.method === "HEAD" || !compressible.test(context.type)) return;
  if (context.res.hasHeader("Content-Encoding")) return;
  context.vary("Accept-Encoding");
  if (context.acceptsEncodings("gzip", "identity") !== "gzip") return;
  if (context.body instanceof Readable) compressStream(context, context.body);
  else await compressWhole(context);
};

async function compressWhole(context: ApiContext): Promise<void> {
  const { body } = context;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  if (bytes.length < leastBytes) return;
  context.set("Content-Encoding", "gzip");
  context.body = await compressed(bytes);
}

/** What was written leaves at once: blanks may say that an answer is still being made. */
function compressStream(context: ApiContext, body: Readable): void {
  const answer = createGzip({ flush: constants.Z_SYNC_FLUSH });
  context.set("Content-Encoding", "gzip");
  context.remove("Content-Length");
  // Either end takes the other with it; what went wrong shows on the answer.
  context.body = pipeline(body, answer, () => undefined);
}
