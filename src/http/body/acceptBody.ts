import type { IncomingMessage } from "node:http";
import { missing } from "../validation/issue.js";
import type { ApiContext, ApiMiddleware } from "../apiContext.js";
import { invalidRequest, refusal } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import { networkOf } from "../../shared/network.js";

/**
 * Refuses, before a byte of it is read, a body that is not there (422), not JSON or in an encoding that is not read
 * (415), or too large by its Content-Length. A body without a media type is taken for JSON.
 */
export function requireJsonBody(request: IncomingMessage, maxBytes: number, tooLarge: () => RefusedRequest): void {
  const declared = declaredLength(request);
  if (declared === 0) throw new RefusedRequest(invalidRequest([missing(["body"])]));
  requireJson(request);
  if (declared !== undefined && declared > maxBytes) throw tooLarge();
}

/** Asks a client for the body that it waits to send (`Expect: 100-continue`). */
export function askForBody({ req, res }: ApiContext): void {
  if (req.headers.expect?.toLowerCase() === "100-continue") res.writeContinue();
}

/** 0 where the request has no body; undefined where its length is not said. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  const length = headers["content-length"];
  if (length !== undefined) return Number(length);
  return headers["transfer-encoding"] === undefined ? 0 : undefined;
}

/** A body whose client went away before all of it was sent. */
export function broken(request: IncomingMessage, received: number): RefusedRequest {
  const expected = declaredLength(request) ?? "an unknown number of";
  return new RefusedRequest(refusal(400, `The connection ended after ${received} of ${expected} bytes of the body.`));
}

const jsonType = /^application\/(json|[a-z0-9!#$&^_.-]+\+json)$/;

/** Whether a body comes compressed, as `Content-Encoding: gzip` says. */
export const isGzipped = ({ headers }: IncomingMessage): boolean =>
  /^(?:x-)?gzip$/i.test(headers["content-encoding"] ?? "");

/** A body that is not what its encoding says. */
export const notGzip = (): RefusedRequest =>
  new RefusedRequest(refusal(400, "The body is not gzip, as its Content-Encoding says, or it is not whole."));

function requireJson(request: IncomingMessage): void {
  const { headers } = request;
  const type = headers["content-type"];
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity" && !isGzipped(request))
    throw unsupported(`The content encoding ${encoding} is not supported. Send the body as it is, or with gzip.`);
  if (type === undefined || type === "application/json") return;
  const [essence = "", ...parameters] = type
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (!jsonType.test(essence)) throw unsupported("The body must be JSON: send Content-Type: application/json.");
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "");
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8")
    throw unsupported("The body must be in UTF-8, which JSON requires.");
}

const unsupported = (detail: string): RefusedRequest => new RefusedRequest(refusal(415, detail));

/** What a request holds besides its body. */
const requestBytes = 4_096;

/** The holder of the share that a request counts towards: the credential where one is proven, else the address. */
export const holderOf = ({ state: { credential }, ip }: ApiContext): string => credential?.id ?? networkOf(ip);

/** Holds the memory of a body that is awaited, up to so many bytes; refuses (503) where its holder has its share. */
export const awaitBody =
  (mostBytes: number): ApiMiddleware =>
  async (context, next) => {
    const { openBodies, bodies } = context.services.shares;
    const held = (context.state.credential === undefined ? openBodies : bodies).holding(holderOf(context));
    if (!held.grow(requestBytes + Math.min(declaredLength(context.req) ?? mostBytes, mostBytes))) throw noMore();
    context.state.bodyIsThere = () => held.release();
    try {
      await next();
    } finally {
      held.release();
    }
  };

/**
 * Counts a request, once its body is there, until it is answered; where the answer is a stream, until that begins.
 * Refuses (503) where its holder has its share: each holds memory, and would only wait for the others.
 */
export const countRequest: ApiMiddleware = async (context, next) => {
  context.state.bodyIsThere?.();
  const held = context.services.shares.requests.holding(holderOf(context));
  if (!held.grow(1)) throw noMore();
  try {
    await next();
  } finally {
    held.release();
  }
};

/** Somebody who has as much under way as is left for the others. */
export const noMore = (): RefusedRequest =>
  new RefusedRequest(
    refusal(
      503,
      "The service has as much under way for you as it can take at the moment. Nothing was done; send the request again.",
      { "Retry-After": "1" },
    ),
  );
