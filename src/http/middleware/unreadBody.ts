import { Readable } from "node:stream";
import type { ApiContext, ApiMiddleware } from "../apiContext.js";
import { declaredLength } from "../body/acceptBody.js";

/** An unread body up to this size is read past after the answer, which keeps the connection. */
const skippedBodyBytes = 65_536;
const lingerMs = 2_000;

/**
 * Closing a connection while the client is still sending would reset it, and the answer would be lost. So where much of
 * the body is still to come, the answer is sent at once, what comes is thrown away for a moment, and then the
 * connection is closed.
 */
export const unreadBody: ApiMiddleware = async (context, next) => {
  await next();
  if (context.req.complete || (declaredLength(context.req) ?? Number.POSITIVE_INFINITY) <= skippedBodyBytes) return;
  context.set("Connection", "close");
  // A client that waits for `100 Continue` sends nothing.
  const isSending = context.req.headers.expect === undefined;
  if (isSending && context.method !== "HEAD" && !(context.body instanceof Readable)) answerWhileDraining(context);
};

function answerWhileDraining(context: ApiContext): void {
  const payload = Buffer.isBuffer(context.body) ? context.body : Buffer.from(JSON.stringify(context.body) ?? "");
  const answer = new Readable({ read: () => undefined });
  const end = (): void => {
    clearTimeout(timer);
    answer.push(null);
  };
  const timer = setTimeout(end, lingerMs);
  context.req.once("end", end).once("close", end).on("error", end).resume();
  answer.push(payload);
  context.body = answer;
  context.length = payload.length;
}
