import { WebSearchUnavailable } from "../../../shared/failures.js";
import type { GroundingEngine, WebHit, WebQuestion } from "../../../webSearch/ports.js";
import {
  askEngine,
  noCredit,
  type EngineRefusal,
  type KeyedEngineAccess,
  cutQuery,
  objectsIn,
  textIn,
  toHit,
} from "./askEngine.js";

const name = "Tavily";
const limits = { characters: 400, words: 400 };
const mostResults = 20;
/** The plan, and what is paid as one goes. */
const usedUp: ReadonlySet<number> = new Set([432, 433]);

/** Tavily: results, whole pages where they are wanted, and an answer written from them. */
export function tavily(access: KeyedEngineAccess): GroundingEngine {
  const ask = (question: WebQuestion, includeAnswer: boolean) =>
    askEngine({
      ...{ name, keySetting: "TAVILY_API_KEY", access, path: "/search", explain, signal: question.signal },
      headers: { Authorization: `Bearer ${access.key}` },
      body: {
        query: cutQuery(question.query, limits),
        search_depth: "basic",
        max_results: Math.min(question.count, mostResults),
        include_answer: includeAnswer,
        include_raw_content: question.fullText ? "text" : false,
        ...(question.sites === null ? {} : { include_domains: question.sites }),
      },
    });
  return {
    name,
    async search(question) {
      return objectsIn((await ask(question, false))["results"]).map(toWebHit);
    },
    async ground(question) {
      const answer = await ask(question, true);
      return { summary: textIn(answer["answer"]) || null, sources: objectsIn(answer["results"]).map(toWebHit) };
    },
  };
}

const toWebHit = ({ url, title, content, raw_content: whole }: Readonly<Record<string, unknown>>): WebHit =>
  toHit(url, { title, description: content, content: textIn(whole) || content });

const explain = ({ status }: EngineRefusal): WebSearchUnavailable | undefined =>
  usedUp.has(status) ? new WebSearchUnavailable(noCredit(name)) : undefined;
