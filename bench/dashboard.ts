import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startBrowser, whyNoBrowser, visit, type Browser, type Page } from "../test/support/chromium.js";
import { type Measurement, atMost, median, percentile } from "./measure.js";
import { startServiceProcess, type ServiceProcess } from "./processes.js";
import { Corpus } from "./corpus.js";
import { datasource } from "./streaming/messages.js";
import { startPusher } from "./streaming.js";

/** What the dashboard's people wait for, by the browser's own clock. Skipped where there is no browser. */
export async function measureDashboard(
  rounds: number,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  if (whyNoBrowser !== null) {
    report(`dashboard: skipped, ${whyNoBrowser}`);
    return [];
  }
  const service = await startServiceProcess();
  const browser = await startBrowser();
  try {
    const dashboard: Dashboard = { service, browser, cookie: await service.signIn("bench@example.org") };
    report("navigation");
    const navigation = await measureNavigation(dashboard, rounds);
    report("searching");
    const painting = await measurePainting(dashboard);
    report("the explorer");
    const explorer = await measureExplorer(dashboard, rounds);
    report("long lists");
    const scrolling = await measureScrolling(dashboard, report);
    return [...navigation, ...painting, ...explorer, ...scrolling, ...(await measureBytes(dashboard))];
  } finally {
    await browser.close();
    await service.stop();
  }
}

const mostKilobytes = 120;
const compressed = ".br";
const assets = fileURLToPath(new URL("../web/assets/", import.meta.url));

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB`;

/** What comes over the line, compressed, until one can search; and each file that a screen loads when it is opened. */
async function measureBytes(dashboard: Dashboard): Promise<readonly Measurement[]> {
  const first = await inNewBrowser(dashboard, "/search", async (page) => {
    await page.getByRole("searchbox").waitFor();
    await page.waitForLoadState("networkidle");
    return page.evaluate<readonly { readonly name: string; readonly bytes: number }[]>(loadedBytes);
  });
  const names = new Set(first.map(({ name }) => name));
  const chunks = readdirSync(assets)
    .filter((file) => file.endsWith(compressed))
    .map((file) => ({ name: file.slice(0, -compressed.length), bytes: statSync(`${assets}${file}`).size }))
    .filter(({ name }) => !names.has(name))
    .sort((a, b) => b.bytes - a.bytes);
  const [largest = { name: "", bytes: 0 }] = chunks;
  const total = first.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    {
      name: "dashboard: all that is loaded until one can search, compressed, in KB",
      ...atMost(mostKilobytes, total / 1_000),
      ...{ ours: kilobytes(total), peer: `${first.length} files`, rounds: 1 },
    },
    {
      name: "dashboard: the largest file that is loaded when it is needed, compressed, in KB",
      ...atMost(mostKilobytes, largest.bytes / 1_000),
      ours: chunks.map(({ name, bytes }) => `${withoutHash(name)} ${kilobytes(bytes)}`).join("\n"),
      peer: `${chunks.length} files`,
      rounds: 1,
    },
  ];
}

const withoutHash = (file: string): string => file.replace(/-[\w-]{8}\./, ".");

/** The page and its files, by name, without what the API answered. */
const loadedBytes = `["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .filter(({ name }) => !name.includes("/api/"))
  .map(({ name, encodedBodySize: bytes }) => ({ name: new URL(name).pathname.split("/").at(-1), bytes }))`;

/** A service whose dashboard is measured, and the browser of somebody who is signed in there with every role. */
export interface Dashboard {
  readonly service: ServiceProcess;
  readonly browser: Browser;
  readonly cookie: string;
}

/** Works in a page of a browser that knows nothing of the dashboard but its session. A fault of the page is thrown. */
export async function inNewBrowser<Figure>(
  { service: { url }, browser, cookie }: Dashboard,
  path: string,
  measure: (page: Page) => Promise<Figure>,
  /** Runs in each page before its own. */
  script = "",
): Promise<Figure> {
  const [name = "", value = ""] = cookie.split("=");
  const { page, context, faults } = await visit(browser, url, path, {}, async (prepared) => {
    await prepared.addCookies([{ name, value, url }]);
    await prepared.addInitScript(clock + script);
  });
  try {
    const figure = await measure(page);
    if (faults().length > 0) throw new Error(`${path}: ${faults().join("; ")}`);
    return figure;
  } finally {
    await context.close();
  }
}

/** Sends a write that has to succeed; answers with its consistency token. */
export async function write({ service }: Dashboard, path: string, body: object): Promise<string> {
  const answer = await fetch(`${service.url}/api/indexing/${path}`, {
    method: path.endsWith("/members") ? "PUT" : "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${service.serviceAccount}` },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  return answer.headers.get("x-consistency-token") ?? "";
}

/** Asks until what has been written is served. */
export async function untilServed({ service, cookie }: Dashboard, path: string, token: string): Promise<void> {
  for (;;) {
    const answer = await fetch(service.url + path, { headers: { cookie, "x-consistency-token": token } });
    await answer.arrayBuffer();
    if (answer.ok) return;
    if (answer.status !== 503) throw new Error(`${path} was answered with ${answer.status}.`);
  }
}

/** The verdict on milliseconds that nobody shall wait longer for. */
export function withinMs(name: string, maximum: number, figures: readonly number[]): Measurement {
  const [middle, most] = [median(figures), Math.max(...figures)];
  return {
    name: `${name}, median, in milliseconds`,
    ...atMost(maximum, middle),
    ...{ ours: `${middle.toFixed(0)} ms`, peer: `at most ${most.toFixed(0)} ms`, rounds: figures.length },
  };
}

/**
 * What every page that is measured knows: `whenPainted(isSo)` resolves with the time, since the navigation began, at
 * which the browser had painted the first frame in which `isSo()` held; `answeredAt(part)` tells when the last byte of
 * the last answer had come to a request whose address has that part.
 */
const clock = `
  window.whenPainted = (isSo) => new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(null);
      });
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
    look();
  });
  window.answeredAt = (part) => Math.max(...performance.getEntriesByType("resource")
    .filter(({ name }) => name.includes(part)).map(({ responseEnd }) => responseEnd));
`;

const chainsDatasource = "chains";
const mostDrawnMs = 1_000;
const chains = 500;
const writesInFlight = 8;
const person = "many@example.org";

/** What is asked, what the picture shows first, and what each of its parts is once that is opened. */
const questions = [
  {
    path: `/access?document=${chainsDatasource}/many.md&person=${person}`,
    fan: `${chains} groups`,
    part: "group chains/chain-",
    name: `why one person sees a document, ${chains} chains`,
    all: "every group of it",
  },
  {
    path: `/access?document=${chainsDatasource}/crowd.md`,
    fan: `${chains} people`,
    part: "person crowd-",
    name: `who sees a document, ${chains} people`,
    all: "everybody in it",
  },
] as const;

type Question = (typeof questions)[number];

/**
 * The permission explorer where there is much to draw: from the answer until the picture is painted, and from the click
 * on what stands there for many until each of them is.
 */
async function measureExplorer(dashboard: Dashboard, rounds: number): Promise<readonly Measurement[]> {
  await prepare(dashboard);
  const measured: Measurement[] = [];
  for (const question of questions) {
    const [drawn, opened]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++)
      await inNewBrowser(
        dashboard,
        question.path,
        async (page) => {
          drawn.push(await page.evaluate<number>(`window.drawn.then((at) => at - answeredAt("/api/audit/links"))`));
          opened.push(await open(page, question));
        },
        `window.drawn = whenPainted(() => ${names(question.fan)});`,
      );
    measured.push(
      withinMs(`dashboard: ${question.name}, drawn after the answer`, mostDrawnMs, drawn),
      withinMs(`dashboard: the same, ${question.all} drawn after the click`, mostDrawnMs, opened),
    );
  }
  return measured;
}

const names = (fan: string): string =>
  `[...document.querySelectorAll(".picture .name")].some(({ textContent }) => textContent === "${fan}")`;

/** Milliseconds until each of those that were a number is drawn. */
const open = (page: Page, { part }: Question): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const [fan] = [...document.querySelectorAll(".picture .fan")].filter((each) => each.textContent.includes("${chains}"));
    const began = performance.now();
    fan.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const parts = () => document.querySelectorAll('.picture [data-place^="${part}"]').length;
    return (await whenPainted(() => parts() >= ${chains})) - began;
  })()`);

async function prepare(dashboard: Dashboard): Promise<void> {
  const serials = Array.from({ length: chains }, (_, serial) => serial);
  const crowd = serials.map((serial) => `crowd-${serial}@example.org`);
  const groups = serials.map((serial) => `chain-${serial}`);
  await write(dashboard, "datasources", { name: chainsDatasource });
  await all([...crowd, person], (email) =>
    write(dashboard, "users", { datasource: chainsDatasource, user: { email } }),
  );
  await all([...groups, "crowd"], (name) =>
    write(dashboard, "groups", { datasource: chainsDatasource, group: { name } }),
  );
  await all(groups, (group_name) =>
    write(dashboard, "memberships", { datasource: chainsDatasource, membership: { group_name, member_email: person } }),
  );
  const members = crowd.map((member_email) => ({ member_email }));
  await write(dashboard, `groups/${chainsDatasource}/crowd/members`, { members });
  const token = await write(dashboard, "documents", {
    documents: [document("many.md", groups), document("crowd.md", ["crowd"])],
  });
  await untilServed(dashboard, `/api/audit/who?document=${chainsDatasource}/crowd.md`, token);
}

const document = (id: string, groups: readonly string[]): object => ({
  ...{ datasource: chainsDatasource, id, title: id, file_type: "page", permissions: { allowed_groups: groups } },
  body: { mime_type: "text/plain", text_content: "Text." },
});

/** Does it to each, some at a time. */
async function all<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: writesInFlight }, next));
}

const mostInteractiveMs = 1_000;

/** Says when the search box was there, could be typed into, and had been painted. */
const watch = `window.interactive = whenPainted(() => document.activeElement?.matches("main input[type=search]:enabled"));`;

const interactive = (page: Page): Promise<number> => page.evaluate<number>("window.interactive");

/** From the beginning of a navigation until one can search: with nothing in the browser's cache, and once more. */
async function measureNavigation(dashboard: Dashboard, rounds: number): Promise<readonly Measurement[]> {
  const [cold, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++)
    await inNewBrowser(
      dashboard,
      "/search",
      async (page) => {
        cold.push(await interactive(page));
        await page.goto("/search");
        warm.push(await interactive(page));
      },
      watch,
    );
  return [
    withinMs("dashboard: interactive after navigation, nothing cached", mostInteractiveMs, cold),
    withinMs("dashboard: interactive after navigation, files cached", mostInteractiveMs, warm),
  ];
}

const paintedDatasource = "painted";
const mostPaintingMs = 100;
const searches = 50;
/** More than a page of results each. */
const documentsEach = 12;

const word = (search: number): string =>
  `gesucht${String.fromCharCode(97 + (search % 26), 97 + Math.floor(search / 26))}`;

/** From the last byte of a search's answer until its results are painted. */
async function measurePainting(dashboard: Dashboard): Promise<readonly Measurement[]> {
  await preparePainting(dashboard);
  const figures = await inNewBrowser(dashboard, "/search", async (page) => {
    const taken: number[] = [];
    await page.getByRole("searchbox").waitFor();
    for (let search = 0; search < searches; search++) taken.push(await page.evaluate<number>(searchFor(word(search))));
    return taken;
  });
  const name = "dashboard: a search's results painted after its answer";
  return [
    withinMs(name, mostPaintingMs, figures),
    { ...withinMs(name, mostPaintingMs, [Math.max(...figures)]), name: `${name}, the slowest` },
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

async function preparePainting(dashboard: Dashboard): Promise<void> {
  await write(dashboard, "datasources", { name: paintedDatasource });
  await write(dashboard, "users", { datasource: paintedDatasource, user: { email: "bench@example.org" } });
  const corpus = new Corpus(23);
  const documents = Array.from({ length: searches * documentsEach }, (_, at) => {
    const { title, text } = corpus.document(`${at}`);
    const body = { mime_type: "text/plain", text_content: text };
    return {
      datasource: paintedDatasource,
      id: `d${at}`,
      title: `${word(at % searches)} ${title}`,
      body,
      file_type: "page",
    };
  });
  const token = await write(dashboard, "documents", { documents });
  await untilServed(dashboard, `/api/beta/search?query=${word(0)}`, token);
}

/** Rows of the list; DASHBOARD_ROWS changes it. */
const usualRows = 100_000;

const mostFrameMs = 100;
/** What a turn of the wheel moves: some 90 rows, more than is seen. */
const wheelPixels = 4_000;

const list = "[role=group][aria-label=Documents]";

/**
 * Scrolling a list from its top to its end by the wheel: how long the page stood still, at most. Its peer, a box of the
 * same height with nothing in it, tells what of that is the machine's.
 */
async function measureScrolling(dashboard: Dashboard, report: (line: string) => void): Promise<readonly Measurement[]> {
  const rows = Number(process.env["DASHBOARD_ROWS"] ?? usualRows);
  await prepareScrolling(dashboard, rows, report);
  return inNewBrowser(dashboard, `/datasources/${datasource}?tab=documents`, async (page) => {
    const loading = await scrollToEnd(page, rows, report);
    report("scrolling what is loaded");
    await page.evaluate(`document.querySelector("${list}").scrollTop = 0`);
    const loaded = await scrollToEnd(page, rows, report);
    const peer = await scrollPlainBox(await page.context().newPage());
    const name = `dashboard: the longest stall while a list of ${rows.toLocaleString("en")} rows scrolls`;
    return [stall(`${name}, loading its pages`, loading, peer), stall(`${name}, once they are there`, loaded, peer)];
  });
}

interface Scrolled {
  /** Milliseconds between one frame and the next. */
  readonly gaps: readonly number[];
  /** The longest frame that the browser calls long, in milliseconds; 0: none. */
  readonly longest: number;
  /** What ran longest in that frame, and how long; empty: no script did. */
  readonly culprit: string;
}

function stall(name: string, ours: Scrolled, peer: Scrolled): Measurement {
  const worst = longestOf(ours);
  return {
    name: `${name}, in milliseconds`,
    ...atMost(mostFrameMs, worst),
    ours: told(ours),
    peer: told(peer),
    rounds: 1,
  };
}

const longestOf = ({ gaps, longest }: Scrolled): number => Math.max(...gaps, longest);

function told(scrolled: Scrolled): string {
  const { gaps, culprit } = scrolled;
  const [by, p99] = [culprit === "" ? "" : ` (${culprit})`, percentile(gaps, 99).toFixed(0)];
  return `${longestOf(scrolled).toFixed(0)} ms${by}, p99 ${p99} ms of ${gaps.length} frames`;
}

const watchFrames = `{
  const gaps = [];
  let [before, on] = [null, true];
  const frame = (now) => {
    if (before !== null) gaps.push(now - before);
    before = now;
    if (on) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  let longest = { duration: 0, scripts: [] };
  const observer = new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries()) if (entry.duration > longest.duration) longest = entry;
  });
  observer.observe({ type: "long-animation-frame" });
  window.watched = () => {
    on = false;
    observer.disconnect();
    const [script] = [...longest.scripts].sort((a, b) => b.duration - a.duration);
    const culprit = script === undefined ? "" : script.invoker + " " + Math.round(script.duration) + " ms";
    return { gaps, longest: longest.duration, culprit };
  };
}`;

/** Turns the wheel until the last row is seen. */
async function scrollToEnd(page: Page, rows: number, report: (line: string) => void): Promise<Scrolled> {
  await page.locator(`${list} [role=listitem]`).first().waitFor();
  await page.locator(list).hover();
  await page.evaluate(watchFrames);
  const lastRow = (): Promise<number> =>
    page.evaluate(`Number([...document.querySelectorAll("${list} [role=listitem]")].at(-1)?.ariaPosInSet)`);
  for (let turn = 0; ; turn++) {
    await page.mouse.wheel(0, wheelPixels);
    const row = await lastRow();
    if (turn % 100 === 0) report(`row ${row}`);
    if (row >= rows) return page.evaluate<Scrolled>("window.watched()");
  }
}

const turnsOfPeer = 500;

/** The same turns of the wheel over a box that nothing has to be done for. */
async function scrollPlainBox(page: Page): Promise<Scrolled> {
  await page.bringToFront();
  await page.setContent(
    `<div id="box" style="height: 700px; overflow: auto"><p style="height: ${turnsOfPeer * wheelPixels}px">High.</p></div>`,
  );
  await page.locator("#box").hover();
  await page.evaluate(watchFrames);
  for (let turn = 0; turn < turnsOfPeer; turn++) {
    await page.mouse.wheel(0, wheelPixels);
    await page.evaluate(`document.querySelector("#box").scrollTop`);
  }
  return page.evaluate<Scrolled>("window.watched()");
}

async function prepareScrolling(dashboard: Dashboard, rows: number, report: (line: string) => void): Promise<void> {
  await write(dashboard, "datasources", { name: datasource });
  const pusher = await startPusher();
  try {
    report(`pushing ${rows} documents`);
    const { token } = await pusher.push({ ...dashboard.service, documents: rows });
    await untilServed(dashboard, `/api/admin/documents/${datasource}?count=1`, token);
  } finally {
    pusher.close();
  }
}
