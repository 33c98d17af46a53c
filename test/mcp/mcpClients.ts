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
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const client = new Client(of);
    // Its own types do not fit each other where optional properties are exact.
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
    await client.connect(transport as Transport);
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
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(of, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return {
    tools: async () => (await client.listTools()).tools as readonly ListedTool[],
    call: async (name, asked) => (await client.callTool({ name, arguments: asked })) as ToolAnswer,
    close: () => client.close(),
  };
}
