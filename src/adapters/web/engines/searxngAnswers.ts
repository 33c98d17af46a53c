import type { WebHit } from "../../../webSearch/ports.js";
import { withoutTrailing } from "../../../shared/texts.js";
import { objectsIn, textIn, textOfSnippet, toHit, type EngineAnswer } from "./askEngine.js";

/** So much of each kind is a result; SearXNG itself seldom has more than one. */
const mostAnswers = 5;
const mostInfoboxes = 3;
const mostAttributes = 20;

/** What SearXNG answers besides pages: sentences and sums first, then what it knows of the thing that is asked for. */
export const answersIn = (answer: EngineAnswer, query: string, url: string): readonly WebHit[] => [
  ...answerHits(answer["answers"], query, searchPage(url, query)),
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
function searchPage(url: string, query: string): string {
  const page = new URL(`${withoutTrailing(url, "/")}/search`);
  [page.username, page.password] = ["", ""];
  page.searchParams.set("q", query);
  return page.href;
}
