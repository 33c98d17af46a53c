import type { ApiMiddleware } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { refusal } from "../../http/envelopes.js";
import { RefusedRequest } from "../../http/refusedRequest.js";
import { route } from "../../http/route.js";
import type { ParameterDescription } from "../../http/validation/parameters.js";
import { unnamed, type BodyMessage } from "../../http/validation/message.js";
import { version } from "../../version.js";
import { ok } from "../../shared/result.js";

/** A JSON-RPC message, or several from older clients: the protocol checks itself what it says. */
const mcpMessage: BodyMessage<unknown> = {
  ...unnamed({ oneOf: [{ type: "object" }, { type: "array", items: { type: "object" } }] }),
  check: (value) => ok(value),
};

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a page of this origin may call: one of this service, as it is set, or of the caller's own machine. */
function mayCall(origin: string, own: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, origin: given } = new URL(origin);
  return loopback.has(hostname) || given === own;
}

/** Refuses web pages of others: a page that reaches a service inside is not the person who opened it. */
const checkOrigin: ApiMiddleware = (context, next) => {
  const { origin } = context.req.headers;
  if (origin === undefined || mayCall(origin, context.services.publicUrl)) return next();
  throw new RefusedRequest(refusal(403, "Web pages of this origin may not call this service."));
};

const body = jsonBody(mcpMessage);
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "curl", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** What the protocol wants said twice since 2026-07-28; older clients send none. */
const header = (name: string, description: string, example: string): ParameterDescription => ({
  ...{ name, in: "header", description, schema: { type: "string", example } },
});

const callMcp = route({
  method: "POST",
  path: "/mcp",
  access: "apiKeyAlone",
  body: { ...body, read: [checkOrigin, ...body.read] },
  isConsistent: true,
  async handle(context, { body: message }) {
    // The protocol's library is loaded with the first message.
    const { serve } = await import("../serve.js");
    await serve(context, message);
  },
  description: {
    tag: "MCP",
    summary: "Speak the Model Context Protocol",
    description:
      "A server without sessions, for the revision of 2026-07-28 and for older clients, which begin with `initialize`. Tools: `search`, `fetch`, `list_sources`, `search_web` where an engine is set up, and for keys with the role `auditor` `explain_access` and `who_could_see`. All of them only read.",
    headers: [
      header("MCP-Protocol-Version", "The revision that the message is of.", "2026-07-28"),
      header("Mcp-Method", "The method, once more.", "tools/call"),
      header("Mcp-Name", "The tool that is called, once more.", "list_sources"),
    ],
    example: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_sources", _meta: meta } },
    success: {
      description: "A JSON-RPC message; clients of older revisions get it as an event stream.",
      schema: unnamed({ type: "object" }),
      example: {
        ...{ jsonrpc: "2.0", id: 1 },
        result: {
          resultType: "complete",
          _meta: {
            "io.modelcontextprotocol/serverInfo": { name: "enterprise-search", title: "Enterprise search", version },
          },
          content: [{ type: "text", text: '{"sources":[{"source":"handbook","name":"Handbook"}]}' }],
          structuredContent: { sources: [{ source: "handbook", name: "Handbook" }] },
        },
      },
    },
    failures: {
      400: "It is no message of the protocol.",
      403: "It comes from a web page of another origin.",
    },
  },
});

/** The Model Context Protocol (docs/design/chat-and-web.md). */
export const mcpRoutes = [callMcp];
