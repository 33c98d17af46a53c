import { WebSearchUnavailable } from "../../../shared/failures.js";
import type { GroundingEngine, WebHit, WebQuestion } from "../../../webSearch/ports.js";
import {
  askEngine,
  noCredit,
  type EngineAnswer,
  type EngineRefusal,
  type KeyedEngineAccess,
  objectIn,
  objectsIn,
  textIn,
  toHit,
} from "./askEngine.js";

const name = "Linkup";

/** Linkup: results with their content, and an answer with its sources. */
export function linkup(access: KeyedEngineAccess): GroundingEngine {
  const ask = (question: WebQuestion, outputType: "searchResults" | "sourcedAnswer") =>
    askEngine({
      ...{ name, keySetting: "LINKUP_API_KEY", access, path: "/search", explain, signal: question.signal },
      headers: { Authorization: `Bearer ${access.key}` },
      body: {
        q: question.query,
        depth: "standard",
        outputType,
        maxResults: question.count,
        ...(question.sites === null ? {} : { includeDomains: question.sites }),
      },
    });
  return {
    name,
    async search(question) {
      const results = objectsIn((await ask(question, "searchResults"))["results"]);
      // There may be images among them.
      return results
        .filter(({ type = "text" }) => type === "text")
        .map(({ content, ...hit }) => toWebHit(hit, content));
    },
    async ground(question) {
      const answer = await ask(question, "sourcedAnswer");
      const sources = objectsIn(answer["sources"]).map(({ snippet, ...source }) => toWebHit(source, snippet));
      return { summary: textIn(answer["answer"]) || null, sources };
    },
  };
}

const toWebHit = ({ url, name: title }: Readonly<Record<string, unknown>>, content: unknown): WebHit =>
  toHit(url, { title, description: undefined, content });

const nothingFound: EngineAnswer = { results: [], sources: [] };

/** It says by an error that there is nothing, and by the error of a limit that there is no credit. */
function explain({ status, body }: EngineRefusal): EngineAnswer | WebSearchUnavailable | undefined {
  const code = textIn(objectIn(objectIn(body)["error"])["code"]) || textIn(objectIn(body)["code"]);
  if (status === 400 && code === "SEARCH_QUERY_NO_RESULT") return nothingFound;
  return code === "INSUFFICIENT_FUNDS_CREDITS" ? new WebSearchUnavailable(noCredit(name)) : undefined;
}
