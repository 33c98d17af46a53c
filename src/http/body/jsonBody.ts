import { koaBody } from "koa-body";
import { missing } from "../validation/issue.js";
import type { BodyMessage } from "../validation/message.js";
import { parseStrictJson } from "../validation/strictJson.js";
import { failed } from "../../shared/result.js";
import { withTimeout } from "../../shared/waiting.js";
import type { ApiContext, ApiMiddleware } from "../apiContext.js";
import { checked, refusal } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import type { RequestBody } from "../route.js";
import { refuseWhoFailed } from "../signIn/signIn.js";
import { askForBody, broken, isGzipped, notGzip, requireJsonBody } from "./acceptBody.js";

/** How much a body may be. */
interface BodyLimits {
  readonly maxBytes: number;
  /** Objects, lists and commas. */
  readonly mostValues: number;
}

/** A datasource with an icon of 256 KiB and hundreds of definitions fits. */
const usualLimits: BodyLimits = { maxBytes: 1_048_576, mostValues: 16_384 };
/** For bodies that are lists of thousands. */
export const listLimits: BodyLimits = { ...usualLimits, mostValues: 131_072 };

/** A client that asks without a credential has little to send, and sends it at once. */
const openLimits: BodyLimits = { maxBytes: 16_384, mostValues: 256 };
const openBodyMs = 2_000;

/** A body in JSON, of one message type. On an open route it is small, and soon there. */
export function jsonBody<Body>(message: BodyMessage<Body>, limits = usualLimits): RequestBody<Body> {
  const { check } = message;
  const [read, readOpen] = [reader(limits), reader(openLimits)];
  const parse = (bytes: Buffer, { mostValues }: BodyLimits): Body =>
    checked(check(checked(parseStrictJson(bytes, mostValues))));
  const receive = async (context: ApiContext): Promise<Body> =>
    context.state.credential !== undefined
      ? parse(await read(context), limits)
      : refuseWhoFailed(context, async () =>
          parse(await withTimeout(openBodyMs, readOpen(context), tooSlow), openLimits),
        );
  return {
    message,
    mostBytes: limits.maxBytes,
    read: [
      async (context, next) => {
        context.state.body = await receive(context);
        await next();
      },
    ],
    check: (value) => (value === undefined ? failed([missing(["body"])]) : check(value)),
  };
}

/**
 * Reads the bytes, as they came: koa-body's own JSON would keep the last of two equal keys in silence, and its text
 * would hold replacements where the bytes are no UTF-8.
 */
function reader({ maxBytes }: BodyLimits): (context: ApiContext) => Promise<Buffer> {
  const tooLarge = (): RefusedRequest =>
    new RefusedRequest(refusal(413, `The body may have at most ${maxBytes} bytes.`));
  const read = koaBody({
    json: false,
    urlencoded: false,
    textTypes: ["application/json"],
    textLimit: maxBytes,
    encoding: "",
    onError: (error, context) => {
      throw refusalOf(error, tooLarge, context as ApiContext);
    },
  }) as ApiMiddleware;
  return async (context) => {
    requireJsonBody(context.req, maxBytes, tooLarge);
    // koa-body leaves a body unread that has no media type, or one with parameters that it cannot parse, and knows one
    // name of gzip, in small letters.
    context.req.headers["content-type"] = "application/json";
    if (isGzipped(context.req)) context.req.headers["content-encoding"] = "gzip";
    askForBody(context);
    await read(context, () => Promise.resolve());
    return context.request.body as unknown as Buffer;
  };
}

const tooSlow = (): RefusedRequest =>
  new RefusedRequest(
    refusal(
      408,
      `The body has to come within ${openBodyMs / 1_000} seconds. Nothing was done; send the request again.`,
      {
        Connection: "close",
      },
    ),
  );

/** What koa-body's reader tells of a body that it could not read. */
interface ReadFailure extends Error {
  readonly type?: string;
  /** The code of an error from zlib. */
  readonly code?: string;
  readonly received?: number;
}

function refusalOf(error: ReadFailure, tooLarge: () => RefusedRequest, { req }: ApiContext): Error {
  if (error.type === "entity.too.large") return tooLarge();
  if (error.code?.startsWith("Z_") === true) return notGzip();
  if (error.type === "request.aborted" || req.destroyed) return broken(req, error.received ?? 0);
  return error;
}
