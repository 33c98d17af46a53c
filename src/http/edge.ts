import { randomUUID } from "node:crypto";
import { Readable, pipeline } from "node:stream";
import type { Logger } from "pino";
import { promisify } from "node:util";
import { constants, createGzip, gzip } from "node:zlib";
import { type ApiMiddleware, type ApiContext, whenAnswered } from "./apiContext.js";
import { nothingHere, refusal, clockIsBehind, diskFull, logUnavailable, notNow, unavailable } from "./envelopes.js";
import { RefusedRequest, type RefusalOf } from "./refusedRequest.js";
import type { Method, SecondEnvelope } from "./route.js";
import { answerAllowed } from "./router.js";
import { declaredLength } from "./body/acceptBody.js";
import type { Metrics } from "./metrics.js";
import {
  ClockBehind,
  DiskFull,
  DiskReserved,
  EngineUnavailable,
  ReadModelUnavailable,
  WebSearchUnavailable,
  ExtractionBusy,
} from "../shared/failures.js";

const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Names the request in its answer, in the log and in events: as the client does in `X-Request-Id`, or at random: a
 * count would tell clients how many requests others send.
 */
export const nameRequest: ApiMiddleware = (context, next) => {
  const given = context.req.headers["x-request-id"];
  const id = typeof given === "string" && saneRequestId.test(given) ? given : randomUUID();
  context.state = { requestId: id, params: {}, atLeast: null, position: null };
  context.set("X-Request-Id", id);
  return next();
};

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

/**
 * Refuses a request of HTTP/1.1 that names no host (RFC 9112, 3.2: 400), and one that expects what this service does
 * not do (RFC 9110, 10.1.1: 417).
 */
export const requestHead: ApiMiddleware = ({ req: { headers, httpVersion } }, next) => {
  if (headers.host === undefined && httpVersion === "1.1")
    throw new RefusedRequest(refusal(400, "The request must name the host that it is for, in the header `Host`."));
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue")
    throw new RefusedRequest(refusal(417, "Of expectations this service meets `100-continue` alone."));
  return next();
};

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

/**
 * One line for each request: the route and the credential's id, never the address, for paths and query strings hold
 * what people ask. Requests to `probes` are logged at debug level.
 */
export const accessLog =
  (logger: Logger, probes: ReadonlySet<string>): ApiMiddleware =>
  async (context, next) => {
    const startedAt = performance.now();
    await next();
    whenAnswered(context, () => {
      const { route = null, requestId, credential, session } = context.state;
      const level = route !== null && probes.has(route) ? "debug" : "info";
      if (!logger.isLevelEnabled(level)) return;
      const ms = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
      logger[level](
        {
          method: context.method,
          status: context.status,
          requestId,
          route,
          credential: session?.id ?? credential?.id,
          ms,
        },
        "request",
      );
    });
  };

/** Counts requests and how long they take, by method, route and status. */
export const observeRequests =
  (metrics: Metrics): ApiMiddleware =>
  async (context, next) => {
    const startedAt = performance.now();
    await next();
    whenAnswered(context, () => {
      const seconds = (performance.now() - startedAt) / 1_000;
      metrics.observe(context.method, context.state.route ?? null, context.status, seconds);
    });
  };

/** Answers what was thrown: a refusal with its envelope, anything else with what the client can do about it. */
export function errors(logger: Logger): ApiMiddleware {
  const refuse = refusalOf(logger);
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof DiskFull && !(error instanceof DiskReserved)) context.services.disk.noteFull();
      const { status, body, headers = {} } = refuse(error, context.state.requestId);
      context.status = status;
      context.body = body;
      context.set(headers);
    }
  };
}

/** What {@link errors} answers with, for those who answer in another form. */
export const refusalOf =
  (logger: Logger): RefusalOf =>
  (error, requestId) => {
    if (error instanceof RefusedRequest) return error.refusal;
    if (error instanceof ReadModelUnavailable) {
      logger.warn({ requestId, err: error }, "A request was refused: what its answer rests on is not available.");
      return unavailable(error);
    }
    if (error instanceof ExtractionBusy) {
      logger.warn({ requestId }, "A request was refused: its file cannot be read at the moment.");
      return notNow(error);
    }
    if (error instanceof WebSearchUnavailable) {
      logger.warn({ requestId, because: error.message }, "A request was refused: the web cannot be searched.");
      return notNow(error);
    }
    if (error instanceof DiskFull) {
      logger.error({ requestId, err: error }, "A request failed: the disk of the data folder is full.");
      return diskFull;
    }
    if (error instanceof ClockBehind) {
      logger.error({ requestId, err: error }, "A request failed: the clock of this machine is behind the log.");
      return clockIsBehind(error.message);
    }
    if (error instanceof EngineUnavailable) {
      logger.error({ requestId, err: error }, "A request failed: the event log is not available.");
      return logUnavailable;
    }
    logger.error({ requestId, err: error }, "A request failed.");
    return refusal(
      500,
      `Something went wrong inside the service. It is safe to send the request again; its id is ${requestId}.`,
    );
  };

/** Puts second envelopes beside ours. */
export const secondEnvelopes =
  (envelopes: readonly SecondEnvelope[]): ApiMiddleware =>
  async (context, next) => {
    await next();
    const { body, path, status } = context;
    const envelope = envelopes.find(({ base }) => path.startsWith(base));
    if (envelope === undefined || !isRefusal(body)) return;
    context.body = { ...body, error: envelope.toError(status, body.detail) };
  };

const isRefusal = (body: unknown): body is { readonly detail: unknown } =>
  typeof body === "object" && body !== null && "detail" in body && !("error" in body);

/** Shorter answers gain nothing. */
const leastBytes = 1_024;

/** What is text, but for streams of events: each of these is to arrive when it is written. */
const compressible =
  /^(?:application\/(?:[\w.+-]*\+)?json|application\/(?:java|ecma)script|image\/svg\+xml|text\/(?!event-stream))/;

const compressed = promisify(gzip);

/**
 * Compresses answers for clients that take gzip. `koa-compress` would make a stream of each, whose length nobody knows
 * any more.
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
