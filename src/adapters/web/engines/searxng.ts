import { WebSearchUnavailable } from "../../../shared/failures.js";
import type { WebEngine, WebHit, WebQuestion } from "../../../webSearch/ports.js";
import {
  askEngine,
  type EngineAccess,
  type EngineRefusal,
  textOfSnippet,
  objectsIn,
  textIn,
  toHit,
} from "./askEngine.js";
import { answersIn } from "./searxngAnswers.js";

const name = "SearXNG";
/** It takes no count: what one page lacks, the next ones bring. */
const mostPages = 5;

/** SearXNG, which operators run themselves. Several sites are asked for one by one: not all that it asks know `OR`. */
export function searxng(access: EngineAccess): WebEngine {
  const searchSite = async (question: WebQuestion, site: string | null): Promise<readonly WebHit[]> => {
    const query = site === null ? question.query : `${question.query} site:${site}`;
    const hits: WebHit[] = [];
    for (let page = 1; page <= mostPages && hits.length < question.count; page++) {
      const found = await searchPage(access, { query, page, signal: question.signal }).catch((error: unknown) => {
        // What the first pages brought is an answer.
        if (page === 1) throw error;
        return [];
      });
      if (found.length === 0) break;
      hits.push(...found);
    }
    return hits;
  };
  return {
    name,
    async search(question) {
      if (question.sites === null) return searchSite(question, null);
      const found = await Promise.all(question.sites.map((site) => searchSite(question, site)));
      return inTurns(found);
    },
  };
}

async function searchPage(
  access: EngineAccess,
  { query, page, signal }: { readonly query: string; readonly page: number; readonly signal: AbortSignal },
): Promise<readonly WebHit[]> {
  const answer = await askEngine({
    ...{ name, keySetting: null, access, signal, explain: jsonIsOff },
    path: "/search",
    query: { q: query, format: "json", pageno: page },
  });
  const answers = page === 1 ? answersIn(answer, query, access.url) : [];
  const results = objectsIn(answer["results"]);
  if (results.length + answers.length === 0 && page === 1) requireAnswers(answer["unresponsive_engines"]);
  return [...answers, ...results.map(toResultHit)];
}

const toResultHit = ({ url, title, content }: Readonly<Record<string, unknown>>): WebHit =>
  toHit(url, { title: textOfSnippet(title), description: textOfSnippet(content), content: textOfSnippet(content) });

const jsonIsOff = ({ status }: EngineRefusal): WebSearchUnavailable | undefined =>
  status === 403
    ? new WebSearchUnavailable(
        "SearXNG does not answer in JSON (403). An operator has to add json to search.formats in its settings.yml.",
      )
    : undefined;

/** Nothing found, and nobody asked, look the same but for this. */
function requireAnswers(unresponsive: unknown): void {
  const engines = Array.isArray(unresponsive) ? unresponsive.flatMap(engineIn) : [];
  if (engines.length === 0) return;
  throw new WebSearchUnavailable(
    `None of the engines that SearXNG asks has answered: ${engines.slice(0, 10).join(", ")}.`,
  );
}

/** A pair of a name and what is wrong. */
function engineIn(pair: unknown): readonly string[] {
  if (!Array.isArray(pair) || textIn(pair[0]) === "") return [];
  const because = textIn(pair[1]);
  return [because === "" ? textIn(pair[0]) : `${textIn(pair[0])} (${because})`];
}

const inTurns = (lists: readonly (readonly WebHit[])[]): readonly WebHit[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list[at] ?? []),
  ).flat();
