import { createValidate, json, type tags } from "typia";
import { clientGone, searcherOf } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { valueOf } from "../../http/envelopes.js";
import { publicOrigin } from "../../http/publicAddresses.js";
import { route } from "../../http/route.js";
import { notYetConsistent } from "../../http/pathParameters.js";
import { documentAddress } from "../../shared/documentAddress.js";
import { plainSnippet } from "../../readModels/search.js";
import { searchTheWeb } from "../tools/searchWeb.js";
import { tooShort } from "../../http/validation/issue.js";
import type { MaxCharacters } from "../../http/validation/characters.js";
import { answerMessage, bodyMessage, listOf } from "../../http/validation/message.js";
import { isBlank } from "../../shared/texts.js";

/** Body of the searches that chat programs send to an engine of their operator's choice. */
interface ExternalSearchMessage {
  query: string & tags.MinLength<1> & MaxCharacters<4096>;
  /** Results, at most. */
  count?: number & tags.Type<"uint32"> & tags.Minimum<1> & tags.Maximum<100> & tags.Default<5>;
}

const externalSearchMessage = bodyMessage(
  json.schema<ExternalSearchMessage>(),
  createValidate<ExternalSearchMessage>(),
  ({ query }) => (isBlank(query) ? [tooShort(["body", "query"], 1)] : []),
);

/** What was found: a page or a document. */
export interface ExternalSearchResult {
  link: string;
  title: string;
  snippet: string;
}

/** Answer of those searches: the best first. */
const externalSearchAnswer = listOf(answerMessage(json.schema<ExternalSearchResult>()));

const tag = "Search";
const access = "apiKey";
const usualCount = 5;
const noFilter = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };

const searchDocuments = route({
  method: "POST",
  path: "/api/beta/external_search/documents",
  access,
  body: jsonBody(externalSearchMessage),
  isConsistent: true,
  async handle(context, { body: { query, count = usualCount } }) {
    const asked = { ...searcherOf(context), query, count, startPage: 0, ...noFilter };
    const page = await context.services.queries.search({ ...asked, atLeast: context.state.atLeast });
    const { hits, wordsLeftOut } = valueOf(page);
    // The answer is a list that other programs defined: it has no place for this.
    if (wordsLeftOut) context.set("X-Query-Truncated", String(wordsLeftOut));
    const origin = publicOrigin(context);
    context.body = hits.map((hit): ExternalSearchResult => ({
      link: documentAddress(origin, hit),
      title: hit.title,
      snippet: plainSnippet(hit.snippet),
    }));
  },
  description: {
    tag,
    summary: "Search documents, for a chat program's external engine",
    description:
      "The form that Open WebUI expects of an external search engine. It finds what the key's person may see, whoever chats: where several people share the program, they share that sight. The header `X-Query-Truncated` says how many words of a long query were not looked for.",
    example: { query: "receipts", count: 3 },
    success: {
      description: "The best first.",
      schema: externalSearchAnswer,
      example: [
        {
          link: "https://handbook.example.org/travel",
          title: "Travel expenses",
          snippet: "Send receipts within a month.",
        },
      ],
    },
    failures: { 503: notYetConsistent },
  },
});

const searchPages = route({
  method: "POST",
  path: "/api/beta/external_search/web",
  access,
  body: jsonBody(externalSearchMessage),
  async handle(context, { body: { query, count = usualCount } }) {
    const results = await searchTheWeb(context, { query, count, signal: clientGone(context) });
    context.body = results.map(({ url: link, metadata: { title }, content: snippet }): ExternalSearchResult => ({
      link,
      title,
      snippet,
    }));
  },
  description: {
    tag,
    summary: "Search the web, for a chat program's external engine",
    description:
      "The same form over the engine that is set up here. Each query is recorded for auditors before it leaves.",
    example: { query: "rail strike dates", count: 3 },
    success: {
      description: "The best first.",
      schema: externalSearchAnswer,
      example: [{ link: "https://example.org/strikes", title: "Rail strikes", snippet: "From Monday on." }],
    },
    failures: { 503: "No engine is set up, or it cannot be asked now." },
  },
});

/**
 * What chat programs ask that bring their own model and let their operator bring the search
 * (docs/design/chat-and-web.md).
 */
export const externalSearchRoutes = [searchDocuments, searchPages];
