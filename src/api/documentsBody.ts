import type Koa from "koa";
import { failed } from "../shared/result.js";
import { issue, missing } from "../http/validation/issue.js";
import { clientGone, type ApiContext } from "../http/apiContext.js";
import { checked, invalidRequest } from "../http/envelopes.js";
import { indexDocumentsMessage } from "./documentMessage.js";
import type { DocumentsRequest, ReceivedBody } from "../http/ports.js";
import { RefusedRequest } from "../http/refusedRequest.js";
import type { RequestBody } from "../http/route.js";
import type { RouteServices } from "../http/routeServices.js";
import { holderOf, broken, declaredLength } from "../http/body/acceptBody.js";
import { IncomingBody, mostInMemory, requireRoom, type ReceivedBodyLimits } from "../http/body/receivedBody.js";

type ReceivedFile = Extract<ReceivedBody, { kind: "file" }>;

/** A body beyond its bound is told as an oversized binary is (spec: Error summary, 422). */
function limitsOf({ maxBodyBytes, maxBinaryBytes }: RouteServices): ReceivedBodyLimits {
  const tooLarge = (): RefusedRequest =>
    new RefusedRequest(
      invalidRequest([
        issue(
          ["body"],
          "bytes_too_long",
          `Data should have at most ${maxBodyBytes} bytes, and a binary at most ${maxBinaryBytes}. Send fewer documents in one request`,
          { max_length: maxBodyBytes },
        ),
      ]),
    );
  return { maxBytes: maxBodyBytes, tooLarge };
}

/** The body of `POST /documents`: one document or many, with their texts taken out of files. */
export const documentsBody: RequestBody<DocumentsRequest> = {
  message: indexDocumentsMessage,
  mostBytes: mostInMemory,
  read: [waitForSearches, readDocuments],
  check: (value, { intake }) =>
    value === undefined ? failed([missing(["body"])]) : intake.read(Buffer.from(JSON.stringify(value))),
};

/** Holds a push back before its body is asked for: what waits holds no memory. */
async function waitForSearches({ services: { searchBacklog }, state }: ApiContext, next: Koa.Next): Promise<void> {
  await searchBacklog.untilThereIsRoom();
  await next();
  const request = state.body as DocumentsRequest;
  if (state.position !== null)
    searchBacklog.add({ position: state.position, documents: request.form === "array" ? request.documents.length : 1 });
}

async function readDocuments(context: ApiContext, next: Koa.Next): Promise<void> {
  const { intake, maxBodyBytes } = context.services;
  const incoming = new IncomingBody(context, limitsOf(context.services));
  await requireRoom(context, Math.min(declaredLength(context.req) ?? mostInMemory, maxBodyBytes));
  try {
    const body = await incoming.whole();
    if (body.kind === "file") return await readLarge(context, body, next);
    context.state.body = checked(await intake.read(body.bytes));
    await next();
  } finally {
    await incoming.remove();
  }
}

/** Holds its share of the memory until the request has been handled: until then its texts are held. */
function readLarge(context: ApiContext, { path, length }: ReceivedFile, next: Koa.Next): Promise<void> {
  const { intake, shares } = context.services;
  const turn = { holder: holderOf(context), signal: clientGone(context, broken(context.req, length)) };
  return shares.inMemory.during({ ...turn, amount: length }, async () => {
    context.state.body = checked(await intake.readFile(path, turn));
    await next();
  });
}
