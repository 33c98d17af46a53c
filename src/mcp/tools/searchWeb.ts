import { z } from "zod";
import { searchTheWeb } from "../searchTheWeb.js";
import { readsHere, tool } from "./tool.js";

const count = 10;

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
    const results = await searchTheWeb(context, { query, count, signal });
    return { results: results.map(({ url, metadata, content: text }) => ({ title: metadata.title, url, text })) };
  },
});
