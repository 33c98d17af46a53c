import { commandContextOf, personOf, type ApiContext } from "../http/apiContext.js";
import { valueOf } from "../http/envelopes.js";
import { newAnswerId } from "../shared/ids.js";
import type { WebResult } from "../webSearch/webSearch.js";

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
