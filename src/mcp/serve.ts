import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { clientGone, type ApiContext } from "../http/apiContext.js";
import { createServer } from "./createServer.js";

/**
 * Answers one message of the protocol, in whichever of its revisions it comes. Nothing is kept between requests: lists
 * of tools change with the key alone, so there is nothing to subscribe to.
 */
export async function serve(context: ApiContext, message: unknown): Promise<void> {
  const handler = createMcpHandler(() => createServer(context), { maxSubscriptions: 0 });
  const response = await handler.fetch(requestOf(context), { parsedBody: message });
  const { status, headers, body } = response;
  context.body = body === null ? null : Readable.fromWeb(body as ReadableStream, { objectMode: false });
  context.status = status;
  const type = headers.get("content-type");
  if (type !== null) context.set("Content-Type", type);
}

/** The request as the protocol looks at it: its body is at hand already. */
function requestOf(context: ApiContext): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(context.req.headers))
    if (typeof value === "string" && !skipped.has(name)) headers.set(name, value);
  // Clients that take one of them get what they can read all the same.
  headers.set("accept", "application/json, text/event-stream");
  return new Request(context.href, { method: "POST", headers, signal: clientGone(context) });
}

/** Nothing below needs to know the key, and there is no body to be measured. */
const skipped: ReadonlySet<string> = new Set(["authorization", "content-length", "transfer-encoding", "connection"]);
