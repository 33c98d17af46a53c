import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { eventually } from "./pauses.js";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { whyNoTestPackages } from "./testPackages.js";

export type { Browser, Page };

/** The first one is Chromium without a user interface, which takes half the processor's time for the same pages. */
const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable"];

const folders = (process.env["PATH"] ?? "").split(delimiter);

/** The browser of this machine; null: there is none. */
const program = programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(canBeRun) ?? null;

function canBeRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why nothing can be opened in a browser here; null: it can. */
export const whyNoBrowser = program === null ? "no chromium" : whyNoTestPackages;

/** A suite that needs a browser: skipped, with the reason in its title, where there is none. */
export function describeInBrowser(title: string, suite: () => void): void {
  if (whyNoBrowser === null) describe(title, suite);
  else describe.skip(`${title}: ${whyNoBrowser}`, suite);
}

/** Starts a browser of its own, without a window. Close it after the suite. */
export async function startBrowser(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  return chromium.launch({ ...(program !== null && { executablePath: program }), args: ["--no-sandbox"] });
}

/** How somebody looks at the dashboard. */
export interface Visitor {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** The language of the browser. */
  readonly locale?: string;
}

/** A page of the dashboard in a browser that nobody has signed in with yet. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What a user would not see and we do not accept: errors of the console, requests to anywhere else. */
  faults(): readonly string[];
}

/** A refusal is written to the console by the browser, whatever the page does with it. */
const expected = /Failed to load resource: the server responded with a status of 4\d\d/;

/** What a page is to come to may take this long on a machine that does other work, too. */
const longestWaitMs = 60_000;

/** Opens an address of a service. `prepare` is called before. */
export async function visit(
  browser: Browser,
  url: string,
  path: string,
  visitor: Visitor = {},
  prepare: (context: BrowserContext) => Promise<void> = async () => undefined,
): Promise<Visit> {
  const { theme = "light", width = 1_280, height = 800, locale = "en-GB" } = visitor;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale, baseURL: url });
  context.setDefaultTimeout(longestWaitMs);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !asked.startsWith("data:")) faults.push(`a request to ${asked}`);
  });
  await prepare(context);
  await page.goto(path);
  return { page, context, faults: () => faults };
}

/** Waits until an expression is true in the page, whose own policy lets nothing look for it there again and again. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await eventually(() => page.evaluate<boolean>(expression), Boolean);
}

/** Opens the page again as a busy machine would: what runs once it is drawn runs later than somebody types. */
export async function reloadAndDrawLate(page: Page): Promise<void> {
  await page.addInitScript(`{
    const { setTimeout } = window;
    window.setTimeout = (run, ms, ...given) => setTimeout(run, (ms ?? 0) + 1_000, ...given);
    window.requestAnimationFrame = (run) => window.setTimeout(run, 0);
  }`);
  await page.reload();
}
