import type { TextExtractor } from "../../../../commands/ports.js";
import { carriedString } from "../../../shared/carriedText.js";
import { orAborted, Slots } from "../../../shared/waiting.js";
import type { PageReader, WebPage } from "../../../webSearch/ports.js";
import { fetchPage, type FetchedPage, type FetchOptions } from "./fetchPage.js";
import { Robots } from "./robots.js";

export interface CrawlerOptions extends FetchOptions {
  /** Pages that are fetched or read at once. */
  readonly concurrency: number;
  /** Takes the text out of pages. */
  readonly extractor: TextExtractor;
}

const readable: ReadonlySet<string> = new Set([
  "text/html",
  "application/xhtml+xml",
  "text/plain",
  "text/markdown",
  "application/pdf",
]);
const accept = "text/html, application/xhtml+xml, application/pdf;q=0.9, text/plain;q=0.8, text/markdown;q=0.8";
const mostRedirects = 10;

/** Fetches pages of the web and reads them. */
export class Crawler implements PageReader {
  private readonly slots: Slots;
  private readonly robots: Robots;

  constructor(private readonly options: CrawlerOptions) {
    this.slots = new Slots(options.concurrency);
    this.robots = new Robots(options);
  }

  async read(url: string, signal: AbortSignal): Promise<WebPage | null> {
    try {
      return await this.slots.during(signal, () => orAborted(this.readNow(new URL(url), signal), signal));
    } catch {
      // Whatever it was, there is the engine's snippet.
      return null;
    }
  }

  private async readNow(url: URL, signal: AbortSignal): Promise<WebPage | null> {
    const page = await fetchPage(url, this.options, {
      ...{ accept, signal, mostRedirects },
      isWanted: (mimeType) => readable.has(mimeType),
      mayFetch: (address) => this.robots.require(address, signal),
    });
    return page.status === 200 ? this.textOf(page, signal) : null;
  }

  private async textOf({ bytes, mimeType, charset }: FetchedPage, signal: AbortSignal): Promise<WebPage | null> {
    const file = { content: bytes, mimeType, charset, name: null, form: "article" } as const;
    const extraction = await this.options.extractor.extract(file, { isAbandoned: () => signal.aborted });
    // What is not what it says it is was not asked for.
    if (extraction.kind !== "text" || !readable.has(extraction.facts.mimeType)) return null;
    const text = carriedString(extraction.text).trim();
    return text === "" ? null : { text };
  }
}
