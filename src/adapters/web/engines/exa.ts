import type { GroundingEngine, WebHit, WebQuestion } from "../../../webSearch/ports.js";
import { askEngine, type KeyedEngineAccess, objectsIn, textIn, textsIn, toHit } from "./askEngine.js";

const name = "Exa";
const mostResults = 100;

/** Exa: results with texts or highlights, and an answer with its citations. */
export function exa(access: KeyedEngineAccess): GroundingEngine {
  const ask = (question: WebQuestion, path: string, body: object) =>
    askEngine({
      ...{ name, keySetting: "EXA_API_KEY", access, path, signal: question.signal },
      ...{ headers: { "x-api-key": access.key }, body },
    });
  const search = async (question: WebQuestion): Promise<readonly WebHit[]> => {
    const answer = await ask(question, "/search", {
      query: question.query,
      type: "auto",
      numResults: Math.min(question.count, mostResults),
      ...(question.sites === null ? {} : { includeDomains: question.sites }),
      contents: question.fullText ? { text: true, highlights: true } : { highlights: true },
    });
    return objectsIn(answer["results"]).map(toWebHit);
  };
  return {
    name,
    search,
    async ground(question) {
      // An answer cannot be kept to sites: a search can.
      if (question.sites !== null) return { summary: null, sources: await search(question) };
      const answer = await ask(question, "/answer", { query: question.query, text: true });
      return { summary: textIn(answer["answer"]) || null, sources: objectsIn(answer["citations"]).map(toWebHit) };
    },
  };
}

function toWebHit({ url, title, text, highlights, summary }: Readonly<Record<string, unknown>>): WebHit {
  const fitting = textsIn(highlights).join("\n\n");
  return toHit(url, {
    title,
    description: textsIn(highlights)[0] ?? summary,
    content: textIn(text) || fitting || summary,
  });
}
