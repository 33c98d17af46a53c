import type Koa from "koa";
import { failed } from "../../shared/result.js";
import { missing } from "../validation/issue.js";
import type { ApiContext } from "../apiContext.js";
import { checked, invalidRequest } from "../envelopes.js";
import { inSingleDocument, oversizedBinary } from "../messages/documentFaults.js";
import { indexDocumentsMessage } from "../messages/indexDocuments.js";
import type { DocumentsRequest } from "../ports.js";
import { RefusedRequest } from "../refusedRequest.js";
import type { RequestBody } from "../route.js";
import type { RouteServices } from "../routeServices.js";
import { readLargeBody, type LargeBodyLimits } from "./largeBody.js";

const advice = "Send fewer documents in one request.";
/** How much of a larger body is read, so that an oversized binary is told as such. */
const readFactor = 1.4;

/**
 * A single document whose binary is too large is 422 (spec: Limits), also where the whole body is too large to be held.
 */
function limitsOf({ maxBodyBytes, maxBinaryBytes }: RouteServices): LargeBodyLimits {
  return {
    maxBytes: maxBodyBytes,
    advice,
    readBytes: Math.floor(readFactor * maxBodyBytes),
    refusalOf: ({ binaryLength }) => {
      // Of four characters of Base64 up to two are padding.
      if ((binaryLength / 4) * 3 - 2 <= maxBinaryBytes) return null;
      return new RefusedRequest(invalidRequest([inSingleDocument(oversizedBinary(maxBinaryBytes))]));
    },
  };
}

/** The body of `POST /documents`: one document or many, with their texts taken out of files. */
export const documentsBody: RequestBody<DocumentsRequest> = {
  message: indexDocumentsMessage,
  read: [waitForSearches, readDocuments],
  check: (value, { intake }) =>
    value === undefined ? failed([missing(["body"])]) : intake.read([Buffer.from(JSON.stringify(value))]),
};

/** Holds a push back before its body is asked for: what waits holds no memory. */
async function waitForSearches({ services: { searchBacklog }, state }: ApiContext, next: Koa.Next): Promise<void> {
  await searchBacklog.untilThereIsRoom();
  await next();
  const request = state.body as DocumentsRequest;
  if (state.position !== null)
    searchBacklog.add({ position: state.position, documents: request.form === "array" ? request.documents.length : 1 });
}

/** The memory is given back when the request has been handled: until then its texts are held. */
async function readDocuments(context: ApiContext, next: Koa.Next): Promise<void> {
  const { intake, memory } = context.services;
  const body = await readLargeBody(context, limitsOf(context.services), memory);
  try {
    context.state.body = checked(await intake.read(body.blocks));
    await next();
  } finally {
    body.release();
  }
}
