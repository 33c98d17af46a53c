import type { ApiMiddleware } from "../apiContext.js";
import { nothingHere } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import type { Method } from "../route.js";
import { answerAllowed } from "./unrouted.js";

const schemeAndAuthority = /^https?:\/\/[^/?#]*/i;
/** Koa would take these for the end of the address, or for whitespace around it. */
const misread = /[#\u00a0]/g;

/**
 * Takes the target of a request as HTTP has it (RFC 9112, 3.2), where Koa takes it as a URL: `/path?search`; the
 * absolute form that clients send to proxies, whose authority does not matter, for there is one service; or `*`, the
 * service as a whole, which only OPTIONS asks about.
 */
export const requestTarget =
  (methods: readonly Method[]): ApiMiddleware =>
  (context, next) => {
    const { url } = context;
    if (url.startsWith("/") && url.search(misread) === -1) return next();
    const local = localTarget(url);
    // Without a path, OPTIONS in absolute form means `*`, and anything else `/`.
    if (context.method === "OPTIONS" && (local === "*" || /^(\?|$)/.test(local))) {
      answerAllowed(context, methods);
      return Promise.resolve();
    }
    const path = local.startsWith("?") || local === "" ? `/${local}` : local;
    if (!path.startsWith("/")) throw new RefusedRequest(nothingHere);
    context.url = path.replace(misread, encodeURIComponent);
    return next();
  };

/** A target without the scheme and the authority of its absolute form. */
export const localTarget = (target: string): string => target.replace(schemeAndAuthority, "");
