import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** What came of a call of a tool. */
export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

interface ListedTool {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

/** A client of the protocol, connected. */
export interface McpClient {
  tools(): Promise<readonly ListedTool[]>;
  call(name: string, asked: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

const of = { name: "test", version: "1" };

/** Where a client goes, and what it sends. */
interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The official clients by what they speak. */
export const mcpClients: Readonly<Record<string, (address: Address) => Promise<McpClient>>> = {
  "client 2.x, of 2026-07-28": (address) => connectNew(address, { pin: "2026-07-28" }),
  "client 2.x, negotiating": (address) => connectNew(address, "auto"),
  "client 2.x, with initialize": (address) => connectNew(address, "legacy"),
  "sdk 1.x": async ({ url, headers }) => {
    const client = new OldClient(of);
    // Its own types do not fit each other where optional properties are exact.
    await client.connect(new OldTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as Transport);
    return {
      tools: async () => (await client.listTools()).tools,
      call: async (name, asked) => (await client.callTool({ name, arguments: asked })) as ToolAnswer,
      close: () => client.close(),
    };
  },
};

async function connectNew(
  { url, headers }: Address,
  mode: "auto" | "legacy" | { readonly pin: string },
): Promise<McpClient> {
  const client = new NewClient(of, { versionNegotiation: { mode } });
  await client.connect(new NewTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return {
    tools: async () => (await client.listTools()).tools as readonly ListedTool[],
    call: async (name, asked) => (await client.callTool({ name, arguments: asked })) as ToolAnswer,
    close: () => client.close(),
  };
}
