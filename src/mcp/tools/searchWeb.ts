import { z } from "zod";
import { readsHere, tool } from "./tool.js";
import { commandContextOf, personOf, type ApiContext } from "../../http/apiContext.js";
import { valueOf } from "../../http/envelopes.js";
import { newAnswerId } from "../../shared/ids.js";
import type { WebResult } from "../../webSearch/webSearch.js";

const usualCount = 10;

/** What a model finds outside. */
export const searchWeb = tool({
  name: "search_web",
  title: "Search the web",
  description:
    "Searches the web. The query leaves the organization and is recorded with the person's name: put nothing confidential into it.",
  input: z.object({ query: z.string().trim().min(1).max(1_000).describe("What to look for.") }),
  output: z.object({
    results: z.array(z.object({ title: z.string(), url: z.string(), text: z.string() })),
  }),
  annotations: { ...readsHere, idempotentHint: false, openWorldHint: true },
  async call(context, { query }, signal) {
    const results = await searchTheWeb(context, { query, count: usualCount, signal });
    return { results: results.map(({ url, metadata, content: text }) => ({ title: metadata.title, url, text })) };
  },
});

const timeoutMs = 10_000;

interface AskWeb {
  readonly query: string;
  readonly count: number;
  readonly signal: AbortSignal;
}

/**
 * Searches the web for the person who sent the request. The query is recorded before it leaves
 * (docs/design/chat-and-web.md).
 */
export async function searchTheWeb(
  context: ApiContext,
  { query, count, signal }: AskWeb,
): Promise<readonly WebResult[]> {
  const { webSearch, searchesWeb, commands } = context.services;
  const queries = [query];
  const sent = { person: personOf(context), answerId: newAnswerId(), mode: null, queries };
  // Where no engine is set up nothing leaves: the search says so.
  if (searchesWeb) valueOf(await commands.recordWebQuery(sent, commandContextOf(context)));
  const asked = { queries, count, sites: null, timeoutMs, deepSearch: false, mode: null };
  return webSearch.search({ ...asked, signal });
}
