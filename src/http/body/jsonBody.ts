import { koaBody } from "koa-body";
import { missing } from "../validation/issue.js";
import type { BodyMessage } from "../validation/message.js";
import { parseStrictJson } from "../validation/strictJson.js";
import { failed } from "../../shared/result.js";
import type { ApiContext, ApiMiddleware } from "../apiContext.js";
import { checked } from "../envelopes.js";
import type { RequestBody } from "../route.js";
import { askForBody, broken, notGzip, requireJsonBody, tooLarge, type BodyLimits } from "./acceptBody.js";

/** A datasource with an icon of 256 KiB and hundreds of definitions fits. */
const usualLimits: BodyLimits = { maxBytes: 1_048_576 };

/** A body in JSON, of one message type. */
export function jsonBody<Body>(message: BodyMessage<Body>, limits = usualLimits): RequestBody<Body> {
  const { check } = message;
  const parse: ApiMiddleware = (context, next) => {
    context.state.body = checked(check(checked(parseStrictJson(context.request.body as unknown as Buffer))));
    return next();
  };
  return {
    message,
    read: [accept(limits), readBytes(limits), parse],
    check: (value) => (value === undefined ? failed([missing(["body"])]) : check(value)),
  };
}

const accept =
  (limits: BodyLimits): ApiMiddleware =>
  (context, next) => {
    requireJsonBody(context.req, limits);
    // koa-body would leave a body unread whose media type has parameters that it cannot parse.
    context.req.headers["content-type"] = "application/json";
    askForBody(context);
    return next();
  };

/**
 * The bytes, as they came: koa-body's own JSON would keep the last of two equal keys in silence, and its text would
 * hold replacements where the bytes are no UTF-8.
 */
const readBytes = (limits: BodyLimits): ApiMiddleware =>
  koaBody({
    json: false,
    urlencoded: false,
    textTypes: ["application/json"],
    textLimit: limits.maxBytes,
    encoding: "",
    onError: (error, context) => {
      throw refusalOf(error, limits, context as ApiContext);
    },
  }) as ApiMiddleware;

/** What koa-body's reader tells of a body that it could not read. */
interface ReadFailure extends Error {
  readonly type?: string;
  /** Of zlib. */
  readonly code?: string;
  readonly received?: number;
}

function refusalOf(error: ReadFailure, limits: BodyLimits, { req }: ApiContext): Error {
  if (error.type === "entity.too.large") return tooLarge(limits);
  if (error.code?.startsWith("Z_") === true) return notGzip();
  if (error.type === "request.aborted" || req.destroyed) return broken(req, error.received ?? 0);
  return error;
}
