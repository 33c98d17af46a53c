import type { Page } from "playwright-core";
import { atMost, percentile, type Measurement } from "../measure.js";
import { datasource } from "../streaming/messages.js";
import { startPusher } from "../streaming/startPusher.js";
import { inNewBrowser, untilServed, write, type Dashboard } from "./visitor.js";

/** Rows of the list; DASHBOARD_ROWS changes it. */
const usualRows = 100_000;
const most = 100;
/** What a turn of the wheel moves: some 90 rows, more than is seen. */
const wheelPixels = 4_000;
const list = "[role=group][aria-label=Documents]";

/**
 * Scrolling a list from its top to its end by the wheel: how long the page stood still, at most. Its peer, a box of the
 * same height with nothing in it, tells what of that is the machine's.
 */
export async function measureScrolling(
  dashboard: Dashboard,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  const rows = Number(process.env["DASHBOARD_ROWS"] ?? usualRows);
  await prepare(dashboard, rows, report);
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
  return { name: `${name}, in milliseconds`, ...atMost(most, worst), ours: told(ours), peer: told(peer), rounds: 1 };
}

const longestOf = ({ gaps, longest }: Scrolled): number => Math.max(...gaps, longest);

function told(scrolled: Scrolled): string {
  const { gaps, culprit } = scrolled;
  const [by, p99] = [culprit === "" ? "" : ` (${culprit})`, percentile(gaps, 99).toFixed(0)];
  return `${longestOf(scrolled).toFixed(0)} ms${by}, p99 ${p99} ms of ${gaps.length} frames`;
}

const watch = `{
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
  await page.evaluate(watch);
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
  await page.evaluate(watch);
  for (let turn = 0; turn < turnsOfPeer; turn++) {
    await page.mouse.wheel(0, wheelPixels);
    await page.evaluate(`document.querySelector("#box").scrollTop`);
  }
  return page.evaluate<Scrolled>("window.watched()");
}

async function prepare(dashboard: Dashboard, rows: number, report: (line: string) => void): Promise<void> {
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
