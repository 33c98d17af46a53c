import type Koa from "koa";
import { failed } from "../../shared/result.js";
import { missing } from "../validation/issue.js";
import type { ApiContext } from "../apiContext.js";
import { checked } from "../envelopes.js";
import { indexDocumentsMessage } from "../messages/indexDocuments.js";
import type { DocumentsRequest } from "../ports.js";
import type { RequestBody } from "../route.js";
import { readLargeBody } from "./largeBody.js";

const advice = "Send fewer documents in one request.";

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
  const { intake, memory, maxBodyBytes } = context.services;
  const body = await readLargeBody(context, { maxBytes: maxBodyBytes, advice }, memory);
  try {
    context.state.body = checked(await intake.read(body.blocks));
    await next();
  } finally {
    body.release();
  }
}
