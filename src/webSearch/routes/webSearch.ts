import { createValidate, json, type tags } from "typia";
import { clientGone } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { route } from "../../http/route.js";
import { tooShort, valueError, type Issue } from "../../http/validation/issue.js";
import type { MaxCharacters } from "../../http/validation/characters.js";
import { answerMessage, bodyMessage, listOf } from "../../http/validation/message.js";
import { toSite } from "../addresses.js";
import type { WebSearchRequest } from "../webSearch.js";

/** Body of `POST /api/beta/web_search` (spec: WebSearchPayload). */
interface WebSearchPayload {
  /** Each is asked of the engine; what they find is merged in turns. None may be blank. */
  queries: (string & tags.MinLength<1> & MaxCharacters<2000>)[] & tags.MinItems<1> & tags.MaxItems<20>;
  /** Results at most; 10 where left out. More than 100 are never answered. */
  count?: number & tags.Type<"uint32"> & tags.Minimum<1> & tags.Default<10>;
  /**
   * Hosts such as `example.com`, with or without a scheme and a path: only their pages are answered, and those of hosts
   * below them; of one with a path, those below that.
   */
  sites?: ((string & MaxCharacters<300>)[] & tags.MaxItems<20>) | null;
  /** Seconds until there is an answer, with what was found by then; 10 where left out, 120 at most. */
  timeout?: number & tags.Type<"uint32"> & tags.Minimum<1> & tags.Default<10>;
  /** Whether results carry whole pages, as Markdown, instead of what fits the query; slower. */
  deep_search?: boolean;
  /**
   * `search`: the pages that an engine finds are read; `context`: an engine's API for grounding, with a summary first;
   * `thirdparty`: what an engine's API answers. null and left out: the tenant's default.
   */
  mode?: "search" | "context" | "thirdparty" | null;
}

const defaults = { count: 10, timeoutSeconds: 10 };

const webSearchMessage = bodyMessage(
  json.schema<WebSearchPayload>(),
  createValidate<WebSearchPayload>(),
  ({ queries, sites }) => [...blankQueries(queries), ...unknownSites(sites ?? [])],
);

const blankQueries = (queries: readonly string[]): Issue[] =>
  queries.flatMap((query, index) => (query.trim() === "" ? [tooShort(["body", "queries", index], 1)] : []));

const unknownSites = (sites: readonly string[]): Issue[] =>
  sites.flatMap((site, index) =>
    toSite(site) === undefined
      ? [
          valueError(
            ["body", "sites", index],
            "a site is a host such as example.com, with or without a scheme and a path",
          ),
        ]
      : [],
  );

/** What a checked body asks for. No site at all is no restriction. */
function toWebSearchRequest(payload: WebSearchPayload): WebSearchRequest {
  const sites = (payload.sites ?? []).flatMap((site) => toSite(site) ?? []);
  return {
    queries: payload.queries.map((query) => query.trim()),
    count: payload.count ?? defaults.count,
    sites: sites.length === 0 ? null : sites,
    timeoutMs: (payload.timeout ?? defaults.timeoutSeconds) * 1_000,
    deepSearch: payload.deep_search ?? false,
    mode: payload.mode ?? null,
  };
}

/** What a result tells of its page. */
interface WebResultMetadata {
  title: string;
  /** What the engine shows of the page; of a summary, how it was made. */
  description: string;
}

/** A result (spec: Web search result item). */
interface WebSearchResult {
  url: string;
  metadata: WebResultMetadata;
  content: string;
}

const webSearchAnswer = listOf(answerMessage(json.schema<WebSearchResult>()));

const searchWeb = route({
  method: "POST",
  path: "/api/beta/web_search",
  access: "apiKey",
  body: jsonBody(webSearchMessage),
  async handle(context, { body }) {
    const request = { ...toWebSearchRequest(body), signal: clientGone(context) };
    context.body = await context.services.webSearch.search(request);
  },
  description: {
    tag: "Web search",
    summary: "Search the web",
    description:
      "Asks an engine outside, which the operator has chosen for each mode, and merges what several queries find. Every mode answers in the same form; in `context` the first result is a summary, and its description says how it was made. Version v0.1.46.",
    example: { queries: ["rail passenger rights delay compensation"], count: 3, mode: "search" },
    success: {
      description: "The best results first; none where nothing was found.",
      schema: webSearchAnswer,
      example: [
        {
          url: "https://example.org/passenger-rights",
          metadata: { title: "Passenger rights", description: "What passengers are owed for delays." },
          content: "After a delay of 60 minutes a quarter of the fare is paid back.",
        },
      ],
    },
    failures: {
      503: "No engine serves the mode, and the message names the setting; or the engine cannot be asked now. See Retry-After where it is there.",
    },
  },
});

/** Web search (spec: Web search). */
export const webSearchRoutes = [searchWeb];
