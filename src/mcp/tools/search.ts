import { z } from "zod";
import { searcherOf } from "../../http/apiContext.js";
import { valueOf } from "../../http/envelopes.js";
import { searchLimits } from "../../api/searchParameters.js";
import { publicOrigin } from "../../http/publicAddresses.js";
import { documentAddress } from "../../shared/documentAddress.js";
import { readsHere, tool } from "./tool.js";

const noWindow = { modifiedFrom: null, modifiedTo: null };

/** The first half of what ChatGPT's connectors ask for: their contract names the three fields of a result. */
export const search = tool({
  name: "search",
  title: "Search documents",
  description:
    'Finds documents of the organization that this person may see, the best first. Any word may match; "…" demands a phrase, -word forbids one. Read one with `fetch`.',
  input: z.object({
    query: z.string().trim().min(1).max(searchLimits.longestQuery).describe("What to look for."),
    sources: z
      .array(z.string())
      .max(searchLimits.mostFilterValues)
      .optional()
      .describe("Only in these sources, as `list_sources` names them. Left out: in all of them."),
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string().describe("What `fetch` takes."),
        title: z.string(),
        url: z.string().describe("Where people open it."),
      }),
    ),
    words_left_out: z
      .number()
      .optional()
      .describe("How many words of a long query were not looked for. Left out: all were."),
  }),
  annotations: readsHere,
  async call(context, { query, sources = [] }) {
    const asked = { ...searcherOf(context), query, count: searchLimits.defaultCount, startPage: 0 };
    const filters = { datasources: sources.length === 0 ? null : sources, fileTypes: null, ...noWindow };
    const { atLeast } = context.state;
    const { hits, wordsLeftOut } = valueOf(await context.services.queries.search({ ...asked, ...filters, atLeast }));
    const origin = publicOrigin(context);
    return {
      results: hits.map((hit) => ({ id: hit.id, title: hit.title, url: documentAddress(origin, hit) })),
      ...(wordsLeftOut && { words_left_out: wordsLeftOut }),
    };
  },
});
