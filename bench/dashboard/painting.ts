import { Corpus } from "../corpus.js";
import type { Measurement } from "../measure.js";
import { inNewBrowser, untilServed, withinMs, write, type Dashboard } from "./visitor.js";

const datasource = "painted";
const most = 100;
const searches = 50;
/** More than a page of results each. */
const documentsEach = 12;

const word = (search: number): string =>
  `gesucht${String.fromCharCode(97 + (search % 26), 97 + Math.floor(search / 26))}`;

/** From the last byte of a search's answer until its results are painted. */
export async function measurePainting(dashboard: Dashboard): Promise<readonly Measurement[]> {
  await prepare(dashboard);
  const figures = await inNewBrowser(dashboard, "/search", async (page) => {
    const taken: number[] = [];
    await page.getByRole("searchbox").waitFor();
    for (let search = 0; search < searches; search++) taken.push(await page.evaluate<number>(searchFor(word(search))));
    return taken;
  });
  const name = "dashboard: a search's results painted after its answer";
  return [
    withinMs(name, most, figures),
    { ...withinMs(name, most, [Math.max(...figures)]), name: `${name}, the slowest` },
  ];
}

/** Types a word, sends it, and tells how long after the answer its results were painted. */
const searchFor = (query: string): string => `(async () => {
  const box = document.querySelector("main input[type=search]");
  box.value = "${query}";
  box.form.requestSubmit();
  const isThere = () => document.querySelector(".results:not(.stale) [data-result]")?.textContent.includes("${query}");
  const painted = await whenPainted(isThere);
  return painted - answeredAt("query=${query}");
})()`;

async function prepare(dashboard: Dashboard): Promise<void> {
  await write(dashboard, "datasources", { name: datasource });
  await write(dashboard, "users", { datasource, user: { email: "bench@example.org" } });
  const corpus = new Corpus(23);
  const documents = Array.from({ length: searches * documentsEach }, (_, at) => {
    const { title, text } = corpus.document(`${at}`);
    const body = { mime_type: "text/plain", text_content: text };
    return { datasource, id: `d${at}`, title: `${word(at % searches)} ${title}`, body, file_type: "page" };
  });
  const token = await write(dashboard, "documents", { documents });
  await untilServed(dashboard, `/api/beta/search?query=${word(0)}`, token);
}
