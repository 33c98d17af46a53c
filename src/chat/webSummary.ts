import type { Summarize } from "../webSearch/ports.js";
import { Fence } from "./completion/prompt.js";
import type { Catalogue } from "./models/catalogue.js";
import type { PromptMessage } from "./ports/modelUpstream.js";

const instructions =
  "Say in at most 120 words of plain text what the sources say to the query, in the language of the query. Use the sources alone. Where they say nothing to it, say so.";

/** Any model takes so much of the sources. */
const mostCharacters = 12_000;

/** More is no summary. */
const longestSummary = 4_000;

/** Summaries of sources of the web by one of the models; without tools, so that no source can have one called. */
export const createSummarize =
  (models: Pick<Catalogue, "find">, modelId: string): Summarize =>
  async (query, sources, signal) => {
    try {
      const model = await models.find(modelId);
      if (model === null) return null;
      const fence = new Fence();
      const texts = sources.map(({ title, content }) => `${title}\n${content}`).join("\n\n");
      const messages: readonly PromptMessage[] = [
        { role: "system", text: `${instructions} ${fence.explanation}` },
        {
          role: "user",
          parts: [{ kind: "text", text: `${query}\n\n${fence.around(texts.slice(0, mostCharacters))}` }],
        },
      ];
      let text = "";
      const asked = { model: model.id, messages, tools: [], temperature: null };
      for await (const sign of model.upstream.ask(asked, signal)) {
        if (sign.kind === "text") text += sign.text;
        if (text.length > longestSummary) return null;
      }
      return text.trim() || null;
    } catch {
      // Sentences of the sources take its place.
      return null;
    }
  };
