import type { IncomingMessage } from "node:http";
import { missing } from "../validation/issue.js";
import type { ApiContext } from "../apiContext.js";
import { invalidRequest, refusal } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";

/** How large a body may be. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** What to do about a body that is larger, as a sentence. */
  readonly advice?: string;
  /** Up to here a larger body is read nevertheless, to say better what is wrong with it, however large it is. */
  readonly readBytes?: number;
}

/**
 * Refuses, before a byte of it is read, a body that is not there (422), not JSON or in an encoding that is not read
 * (415), or too large by its Content-Length (413). A body without a media type is taken for JSON.
 */
export function requireJsonBody(request: IncomingMessage, limits: BodyLimits): void {
  const declared = declaredLength(request);
  if (declared === 0) throw new RefusedRequest(invalidRequest([missing(["body"])]));
  requireJson(request);
  const isRead = limits.readBytes !== undefined;
  if (declared !== undefined && declared > limits.maxBytes && !isRead) throw tooLarge(limits);
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

/** A body that is longer than its route takes. */
export const tooLarge = ({ maxBytes, advice }: BodyLimits): RefusedRequest =>
  new RefusedRequest(
    refusal(413, `The body may have at most ${maxBytes} bytes.${advice === undefined ? "" : ` ${advice}`}`),
  );

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
