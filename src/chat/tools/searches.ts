import type { CommandContext } from "../../../commands/commands.js";
import type { ToolName } from "../../events/agent.js";
import { beginningOf } from "../../shared/texts.js";
import { documentAddress } from "../../shared/documentAddress.js";
import type { AnswerId, Email } from "../../shared/ids.js";
import { WebSearchUnavailable } from "../../shared/failures.js";
import type { WebResult, WebSearch, WebSearchMode } from "../../webSearch/webSearch.js";
import type { CompletionRequest, Source, Evidence } from "../chat.js";
import type { DocumentTexts, FoundPassage, InternalSearch } from "../internalSearch.js";
import type { WebQuerySent } from "../../events/answer.js";

/** Something that was found, with an address. */
export interface Finding extends Evidence {
  /** Absolute. */
  readonly url: string;
  /** Where it lies, for people; null: nobody says. */
  readonly path: string | null;
}

/** What was found, or a sentence about why nothing could be. */
export type SearchOutcome = readonly Finding[] | string;

/** The searches that a request may make, bound to its person. */
export type Searches = Readonly<
  Partial<Record<ToolName, (query: string, count: number, signal: AbortSignal) => Promise<SearchOutcome>>>
>;

/** What may be asked for a search of the web; a longer query would be a way out for texts. */
export const longestQuery: Readonly<Record<ToolName, number>> = { internalSearch: 1_000, webSearch: 400 };

export interface SearchPorts {
  readonly internalSearch: InternalSearch;
  readonly documents: DocumentTexts;
  readonly webSearch: WebSearch;
  readonly recorder: WebQueryRecorder;
}

/** For whom and how is searched. */
interface SearchScope {
  readonly person: Email;
  readonly tools: readonly ToolName[];
  /** Values of the `data_source` filter; null: everything that the person may see. */
  readonly sources: readonly string[] | null;
  readonly webSearchMode: WebSearchMode | null;
  readonly answerId: AnswerId;
  readonly origin: string;
  readonly context: CommandContext;
  readonly atLeast: CompletionRequest["atLeast"];
}

const webTimeoutMs = 10_000;
/** More of a page would fill the context of a model. */
const longestPage = 6_000;

/** The searches that were asked for: there is no way to any other. */
export function searchesOf(ports: Omit<SearchPorts, "documents">, scope: SearchScope): Searches {
  const { internalSearch } = ports;
  const { person, tools, sources, origin, atLeast } = scope;
  return {
    ...(tools.includes("internalSearch") && {
      internalSearch: async (query, count, signal) =>
        (await internalSearch.search({ person, query, count, sources, atLeast, signal })).map((passage) =>
          toFinding(passage, origin),
        ),
    }),
    ...(tools.includes("webSearch") && {
      webSearch: (query, count, signal) => searchWeb(ports, scope, { query, count, signal }),
    }),
  };
}

async function searchWeb(
  { webSearch, recorder }: Pick<SearchPorts, "webSearch" | "recorder">,
  { person, answerId, webSearchMode: mode, context }: SearchScope,
  { query, count, signal }: { readonly query: string; readonly count: number; readonly signal: AbortSignal },
): Promise<SearchOutcome> {
  const queries = [query];
  await recorder.record({ person, answerId, mode, queries }, context);
  try {
    const asked = { queries, count, sites: null, timeoutMs: webTimeoutMs, deepSearch: false, mode, signal };
    return (await webSearch.search(asked)).map(toWebFinding);
  } catch (error) {
    if (error instanceof WebSearchUnavailable) return `The web cannot be searched at the moment. ${error.message}`;
    throw error;
  }
}

const toFinding = ({ id, title, url, path, lastModified: date, text }: FoundPassage, origin: string): Finding => ({
  ...{ kind: "document", id, title, path, text, date },
  url: documentAddress(origin, { id, pathPreview: url }),
});

const toWebFinding = ({ url, metadata: { title }, content }: WebResult): Finding => ({
  ...{ kind: "web", id: null, url, title: title || url, path: null, date: null },
  text: beginningOf(content, longestPage),
});

/** A finding as the person sees it. */
export const toSource = ({ id, url, title, date }: Omit<Finding, "path">, snippet: string): Source => ({
  ...{ id, url, title, snippet, date },
});

/** Writes down what leaves the service. */
interface WebQueryRecorder {
  /** Resolves once it is on disk; where it rejects, the query must not leave. */
  record(sent: WebQuerySent["data"], context: CommandContext): Promise<void>;
}
