import { commandContextOf, personOf, type ApiContext } from "../http/apiContext.js";
import { refusal, valueOf } from "../http/envelopes.js";
import { RefusedRequest } from "../http/refusedRequest.js";
import { newAnswerId } from "../shared/ids.js";
import type { WebResult } from "./ports.js";

const timeoutMs = 10_000;

interface AskWeb {
  readonly query: string;
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Searches the web for whoever sent the request. The query is recorded before it leaves (ADR 42). */
export async function searchTheWeb(
  context: ApiContext,
  { query, count, signal }: AskWeb,
): Promise<readonly WebResult[]> {
  const { toolWebSearch, commands } = context.services;
  if (toolWebSearch === null) throw new RefusedRequest(refusal(503, "No engine is set up that searches the web."));
  const queries = [query];
  const sent = { person: personOf(context), answerId: newAnswerId(), mode: null, queries };
  valueOf(await commands.recordWebQuery(sent, commandContextOf(context)));
  const asked = { queries, count, sites: null, timeoutMs, deepSearch: false, mode: null };
  return toolWebSearch.search({ ...asked, signal });
}
