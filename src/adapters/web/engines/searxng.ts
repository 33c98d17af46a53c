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
  type EngineAnswer,
} from "./askEngine.js";
import { withoutTrailing } from "../../../shared/texts.js";

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

/** So much of each kind is a result; SearXNG itself seldom has more than one. */
const mostAnswers = 5;
const mostInfoboxes = 3;
const mostAttributes = 20;

/** What SearXNG answers besides pages: sentences and sums first, then what it knows of the thing that is asked for. */
const answersIn = (answer: EngineAnswer, query: string, url: string): readonly WebHit[] => [
  ...answerHits(answer["answers"], query, addressOfPage(url, query)),
  ...objectsIn(answer["infoboxes"]).slice(0, mostInfoboxes).flatMap(infoboxHit),
];

/**
 * Each address once, with all that is answered from there: what has none, such as a sum, was answered by SearXNG, and
 * has the address of its search.
 */
function answerHits(answers: unknown, query: string, ownPage: string): readonly WebHit[] {
  const byAddress = new Map<string, string[]>();
  for (const one of Array.isArray(answers) ? answers.slice(0, mostAnswers) : []) {
    const { text, url } = toldIn(one);
    if (text === "") continue;
    const address = isPage(url) ? url : ownPage;
    byAddress.set(address, [...(byAddress.get(address) ?? []), text]);
  }
  return Array.from(byAddress, ([address, texts]) =>
    asHit(address, query, texts.join("\n"), address === ownPage ? "none" : "adds"),
  );
}

interface Told {
  readonly text: string;
  readonly url: string;
}

/** A text alone in older releases; since 2024 an object, with several translations where it translates. */
function toldIn(answer: unknown): Told {
  if (typeof answer === "string") return { text: textOfSnippet(answer), url: "" };
  const [fields = {}] = objectsIn([answer]);
  const translated = objectsIn(fields["translations"]).map(({ text }) => textOfSnippet(text));
  const texts = [textOfSnippet(fields["answer"]), ...translated.slice(0, mostAnswers)];
  return { text: texts.filter((text) => text !== "").join("\n"), url: textIn(fields["url"]) };
}

function infoboxHit({ infobox, id, content, attributes, urls }: Readonly<Record<string, unknown>>): readonly WebHit[] {
  const url = [textIn(id), ...objectsIn(urls).map((link) => textIn(link["url"]))].find(isPage);
  const facts = objectsIn(attributes)
    .slice(0, mostAttributes)
    .map(({ label, value }) => [textOfSnippet(label), textOfSnippet(value)])
    .flatMap(([label, value]) => (value === "" ? [] : [`${label}: ${value}`]));
  const text = [textOfSnippet(content), ...facts].filter((line) => line !== "").join("\n");
  return url === undefined || text === "" ? [] : [asHit(url, textOfSnippet(infobox), text, "adds")];
}

const asHit = (url: string, title: string, content: string, page: WebHit["page"]): WebHit => ({
  ...toHit(url, { title, description: "", content }),
  ...(page !== undefined && { page }),
});

const isPage = (address: string): boolean => /^https?:\/\//i.test(address) && URL.canParse(address);

/** The page on which people see the same answer, if their network reaches SearXNG. */
function addressOfPage(url: string, query: string): string {
  const page = new URL(`${withoutTrailing(url, "/")}/search`);
  [page.username, page.password] = ["", ""];
  page.searchParams.set("q", query);
  return page.href;
}
