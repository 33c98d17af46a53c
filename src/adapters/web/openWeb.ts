import { EnvHttpProxyAgent } from "undici";
import type { TextExtractor } from "../../../commands/ports.js";
import type { GroundingEngine, PageReader, WebEngine } from "../../webSearch/ports.js";
import type { EngineName } from "../../webSearch/engines.js";
import { AllowedHosts, type AllowedHost } from "./crawler/allowedHosts.js";
import { Crawler } from "./crawler/crawler.js";
import { publicConnections } from "./crawler/publicConnections.js";
import type { KeyedEngineAccess } from "./engines/askEngine.js";
import { brave } from "./engines/brave.js";
import { exa } from "./engines/exa.js";
import { linkup } from "./engines/linkup.js";
import { searxng } from "./engines/searxng.js";
import { tavily } from "./engines/tavily.js";

/** What the web is searched with. */
interface WebTerms {
  readonly searxngUrl: string | null;
  readonly braveApiKey: string | null;
  readonly braveApiUrl: string;
  readonly tavilyApiKey: string | null;
  readonly tavilyApiUrl: string;
  readonly exaApiKey: string | null;
  readonly exaApiUrl: string;
  readonly linkupApiKey: string | null;
  readonly linkupApiUrl: string;
  readonly crawlAllowedHosts: readonly AllowedHost[];
  readonly crawlConcurrency: number;
  readonly crawlMaxBytes: number;
  readonly crawlUserAgent: string;
  readonly httpsProxy: string | null;
  readonly noProxy: string;
}

/** Every engine, for those who know that it is set up, and what reads pages. */
export interface EnginesOfTheWeb {
  readonly engines: Readonly<Record<Exclude<EngineName, "searxng">, () => GroundingEngine>> & {
    readonly searxng: () => WebEngine;
  };
  readonly pages: PageReader;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Opens engines and the crawler. Connects to nobody yet. */
export function openWeb(terms: WebTerms, extractor: TextExtractor): EnginesOfTheWeb {
  const proxies = { httpsProxy: terms.httpsProxy ?? "", noProxy: terms.noProxy };
  // A proxy that no setting names is none.
  const toEngines = new EnvHttpProxyAgent({ httpProxy: "", ...proxies });
  const hosts = new AllowedHosts(terms.crawlAllowedHosts);
  const toPages = publicConnections(hosts, proxies);
  const at = (url: string | null, key: string | null): KeyedEngineAccess => ({
    ...{ url: required(url), key: required(key), dispatcher: toEngines },
  });
  return {
    engines: {
      searxng: () => searxng({ url: required(terms.searxngUrl), dispatcher: toEngines }),
      brave: () => brave(at(terms.braveApiUrl, terms.braveApiKey)),
      tavily: () => tavily(at(terms.tavilyApiUrl, terms.tavilyApiKey)),
      exa: () => exa(at(terms.exaApiUrl, terms.exaApiKey)),
      linkup: () => linkup(at(terms.linkupApiUrl, terms.linkupApiKey)),
    },
    pages: new Crawler({
      ...{ dispatcher: toPages, hosts, extractor },
      userAgent: terms.crawlUserAgent,
      maxBytes: terms.crawlMaxBytes,
      concurrency: terms.crawlConcurrency,
    }),
    close: async () => {
      await Promise.all([toEngines.destroy(), toPages.destroy()]);
    },
  };
}

function required(setting: string | null): string {
  if (setting === null) throw new Error("An engine was asked for that is not set up.");
  return setting;
}
