import type { Page } from "playwright-core";
import type { Measurement } from "../measure.js";
import { inNewBrowser, withinMs, type Dashboard } from "./visitor.js";

const most = 1_000;

/** Says when the search box was there, could be typed into, and had been painted. */
const watch = `window.interactive = whenPainted(() => document.activeElement?.matches("main input[type=search]:enabled"));`;

const interactive = (page: Page): Promise<number> => page.evaluate<number>("window.interactive");

/** From the beginning of a navigation until one can search: with nothing in the browser's cache, and once more. */
export async function measureNavigation(dashboard: Dashboard, rounds: number): Promise<readonly Measurement[]> {
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
    withinMs("dashboard: interactive after navigation, nothing cached", most, cold),
    withinMs("dashboard: interactive after navigation, files cached", most, warm),
  ];
}
