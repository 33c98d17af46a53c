import { LRUCache } from "lru-cache";
import robotsParser from "robots-parser";
import { orAborted } from "../../../shared/waiting.js";
import { fetchPage, type FetchOptions, PageNotRead } from "./fetchPage.js";

/** The package has one export alone, which its types take for another one. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

/** Whether an address may be read by machines. */
type Rule = (address: URL) => boolean;

/** RFC 9309: at least so much of a robots.txt is read. */
const mostBytes = 512_000;

const mostRedirects = 5;
const timeoutMs = 5_000;
const keptMs = 3_600_000;
/** What could not be asked is asked again soon. */
const keptAfterFailureMs = 60_000;

const mostKept = 500;

/** Matching takes time in proportion to these characters times those of the address: here 0.1 s at most. */
const mostWildCharacters = 10_000;

/** Whether rules with stars are so many that a page could hold up the service by them. */
const isTooIntricate = (robots: string): boolean =>
  robots.split("\n").reduce((sum, line) => sum + (line.includes("*") ? line.length : 0), 0) > mostWildCharacters;

const everything: Rule = () => true;
const allowsNothing: Rule = () => false;

/** What sites say in their robots.txt (RFC 9309), remembered for an hour. */
export class Robots {
  private readonly rules = new LRUCache<string, Promise<Rule>>({ max: mostKept, ttl: keptMs });

  constructor(private readonly options: FetchOptions) {}

  /** Rejects with PageNotRead where the site does not want its address read, or cannot be asked. */
  async require(address: URL, signal: AbortSignal): Promise<void> {
    const mayRead = await orAborted(this.ruleOf(address.origin), signal);
    if (!mayRead(address)) throw new PageNotRead("The site's robots.txt forbids it.");
  }

  /** Callers that ask at the same time wait for one answer, no matter which of them goes away. */
  private ruleOf(origin: string): Promise<Rule> {
    const known = this.rules.get(origin);
    if (known !== undefined) return known;
    const asked = this.ask(origin);
    this.rules.set(origin, asked);
    return asked;
  }

  private async ask(origin: string): Promise<Rule> {
    const rule = await this.fetchRule(origin);
    if (rule === allowsNothing) this.rules.set(origin, Promise.resolve(rule), { ttl: keptAfterFailureMs });
    return rule;
  }

  private async fetchRule(origin: string): Promise<Rule> {
    const url = new URL("/robots.txt", origin);
    try {
      const { status, bytes } = await fetchPage(
        url,
        { ...this.options, maxBytes: mostBytes },
        {
          accept: "text/plain, */*;q=0.1",
          signal: AbortSignal.timeout(timeoutMs),
          mostRedirects,
          isWanted: () => true,
        },
      );
      if (status !== 200) return status >= 500 || status === 429 ? allowsNothing : everything;
      if (isTooIntricate(bytes.toString())) return allowsNothing;
      const robots = parseRobots(url.href, bytes.toString());
      return (address) => robots.isAllowed(address.href, this.options.userAgent) !== false;
    } catch {
      return allowsNothing;
    }
  }
}
