import type { ApiContext } from "../apiContext.js";
import { nothingHere, refusal } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import type { Method } from "../route.js";

/** Answers where no route has the path and the method: with what the path allows, or that there is nothing. */
export function unrouted(context: ApiContext, allowed: readonly Method[]): void {
  if (allowed.length === 0) throw new RefusedRequest(nothingHere);
  if (context.method === "OPTIONS") {
    answerAllowed(context, allowed);
    return;
  }
  const headers = { Allow: listOf(allowed) };
  const detail = `${context.method} is not allowed here; allowed: ${headers.Allow}.`;
  throw new RefusedRequest(refusal(405, detail, headers));
}

/** The answer to OPTIONS. */
export function answerAllowed(context: ApiContext, allowed: readonly Method[]): void {
  context.status = 204;
  context.set("Allow", listOf(allowed));
}

const listOf = (allowed: readonly Method[]): string =>
  [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
