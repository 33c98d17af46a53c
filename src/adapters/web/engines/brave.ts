import { WebSearchUnavailable } from "../../../shared/failures.js";
import type { GroundingEngine, WebHit, WebQuestion } from "../../../webSearch/ports.js";
import {
  askEngine,
  type EngineRefusal,
  type EngineRequest,
  type KeyedEngineAccess,
  cutQuery,
  textOfSnippet,
  objectIn,
  objectsIn,
  textsIn,
  toHit,
} from "./askEngine.js";

const name = "Brave";
/** Longer questions are refused. */
const limits = { characters: 400, words: 50 };

const mostPerPage = 20;
const mostPages = 10;
const mostGrounded = 50;

/** Brave's web search, and its LLM Context, which brings snippets and no summary. */
export function brave(access: KeyedEngineAccess): GroundingEngine {
  const ask = (question: WebQuestion, path: string, query: EngineRequest["query"]) =>
    askEngine({
      ...{ name, keySetting: "BRAVE_SEARCH_API_KEY", access, path, explain, signal: question.signal },
      query: { q: cutQuery(question.query, limits), ...goggles(question.sites), ...query },
      headers: { "X-Subscription-Token": access.key },
    });
  const page = async (question: WebQuestion, count: number, offset: number): Promise<readonly WebHit[]> => {
    const terms = { count, offset, text_decorations: false, result_filter: "web" };
    const answer = await ask(question, "/web/search", terms);
    return objectsIn(objectIn(answer["web"])["results"]).map(toWebHit);
  };
  return {
    name,
    async search(question) {
      const count = Math.min(question.count, mostPerPage);
      const hits: WebHit[] = [...(await page(question, count, 0))];
      for (let offset = 1; offset < mostPages && hits.length < question.count; offset++) {
        if (hits.length < offset * count) break;
        // What the first pages brought is an answer.
        const more = await page(question, count, offset).catch(() => []);
        if (more.length === 0) break;
        hits.push(...more);
      }
      return hits;
    },
    async ground(question) {
      const count = Math.min(question.count, mostGrounded);
      const answer = await ask(question, "/llm/context", { count, maximum_number_of_urls: count });
      const sources = objectsIn(objectIn(answer["grounding"])["generic"]).map(toSource);
      return { summary: null, sources };
    },
  };
}

/** What rank pages of these sites alone: there is no parameter for domains. */
const goggles = (sites: readonly string[] | null): Readonly<Record<string, string>> =>
  sites === null ? {} : { goggles: ["$discard", ...sites.map((site) => `$site=${site}`)].join("\n") };

function toWebHit({ url, title, description, extra_snippets: extra }: Readonly<Record<string, unknown>>): WebHit {
  const short = textOfSnippet(description);
  const content = [short, ...textsIn(extra).map(textOfSnippet)].join("\n\n");
  return toHit(url, { title: textOfSnippet(title), description: short, content });
}

function toSource({ url, title, snippets }: Readonly<Record<string, unknown>>): WebHit {
  const texts = textsIn(snippets).map(braveSnippet);
  return toHit(url, { title: textOfSnippet(title), description: undefined, content: texts.join("\n\n") });
}

/** When a limit is over stands in lists, one value for each of its windows. */
function explain({ status, headers }: EngineRefusal): WebSearchUnavailable | undefined {
  if (status !== 429 || headers["retry-after"] !== undefined) return undefined;
  const numbers = (header: string): readonly number[] => (headers[header] ?? "").split(",").map(Number);
  const remaining = numbers("x-ratelimit-remaining");
  const resets = numbers("x-ratelimit-reset").filter((seconds, window) => remaining[window] === 0 && seconds >= 0);
  return resets.length === 0
    ? undefined
    : new WebSearchUnavailable(`${name} takes no more questions at the moment (429).`, Math.max(...resets));
}

/** A snippet of Brave's LLM Context as plain text: it may be JSON that stood in the page. */
function braveSnippet(snippet: string): string {
  if (!/^\s*[[{]/.test(snippet)) return snippet;
  try {
    return linesOf(JSON.parse(snippet) as unknown, "").join("\n");
  } catch {
    return snippet;
  }
}

/** What is said in it, a value a line. Names that begin with `@` say nothing to people. */
function linesOf(value: unknown, label: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(item, label));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => (key.startsWith("@") ? [] : linesOf(inner, key)));
  if (typeof value !== "string" && typeof value !== "number") return [];
  return [label === "" ? String(value) : `${label}: ${value}`];
}
