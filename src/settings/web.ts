import { engineAddress, integer, keyOrUnset, oneOf, type Setting } from "./kinds.js";
import {
  engineNames,
  enginesOfMode,
  settingOfEngine,
  settingOfMode,
  type EngineName,
  type EngineOf,
} from "../webSearch/engines.js";
import { webSearchModes, type WebSearchMode } from "../webSearch/webSearch.js";

/** A host that the crawler may read wherever it lies. */
interface CrawlHost {
  /** The host as an address has it: lower case, without brackets. */
  readonly host: string;
  /** null: 80 and 443. */
  readonly port: number | null;
}

/** The settings of web search. */
export interface WebConfig {
  /** The mode of requests that name none. */
  readonly webSearchDefaultMode: WebSearchMode;
  /** The engine of the mode `search`; null: the only one that is there. */
  readonly webSearchEngine: EngineOf<"search"> | null;
  /** The engine of the mode `context`; null: likewise. */
  readonly webSearchContextEngine: EngineOf<"context"> | null;
  /** The engine of the mode `thirdparty`; null: likewise. */
  readonly webSearchThirdpartyEngine: EngineOf<"thirdparty"> | null;
  /** Address of a SearXNG; null: there is none. */
  readonly searxngUrl: string | null;
  readonly braveApiKey: string | null;
  readonly braveApiUrl: string;
  readonly tavilyApiKey: string | null;
  readonly tavilyApiUrl: string;
  readonly exaApiKey: string | null;
  readonly exaApiUrl: string;
  readonly linkupApiKey: string | null;
  readonly linkupApiUrl: string;
  readonly crawlAllowedHosts: readonly CrawlHost[];
  /** Pages that are fetched or read at once. */
  readonly crawlConcurrency: number;
  /** The most bytes of one page, as sent and as unpacked. */
  readonly crawlMaxBytes: number;
  readonly crawlUserAgent: string;
  /** The proxy for requests to engines and pages by https; null: there is none. */
  readonly httpsProxy: string | null;
  /** Hosts that are asked without it, as `NO_PROXY` lists them. */
  readonly noProxy: string;
}

const engine = <Mode extends WebSearchMode>(mode: Mode) => {
  const { allowed, parse } = oneOf(enginesOfMode[mode] as readonly EngineOf<Mode>[]);
  return { default: "", allowed, parse: (value: string) => (value === "" ? null : parse(value)) };
};

const apiUrl = (address: string) => {
  const { parse, ...kind } = engineAddress("http", "https");
  return { ...kind, default: address, parse: (value: string) => parse(value) ?? undefined };
};

const unnamed = "Unset: the only one that is there and can.";

export const webSettings: { readonly [Field in keyof WebConfig]: Setting<WebConfig[Field]> } = {
  webSearchDefaultMode: {
    name: "WEB_SEARCH_DEFAULT_MODE",
    default: "search",
    meaning: "How the web is searched where a request names no mode ([web search](docs/web-search.md)).",
    ...oneOf(webSearchModes),
  },
  webSearchEngine: {
    name: settingOfMode.search,
    meaning: `Engine of the mode \`search\`: ${engineNames.map((name) => `\`${name}\``).join(", ")}. ${unnamed}`,
    ...engine("search"),
  },
  webSearchContextEngine: {
    name: settingOfMode.context,
    meaning: `Engine of the mode \`context\`: ${enginesOfMode.context.map((name) => `\`${name}\``).join(", ")}. ${unnamed}`,
    ...engine("context"),
  },
  webSearchThirdpartyEngine: {
    name: settingOfMode.thirdparty,
    meaning: `Engine of the mode \`thirdparty\`: ${enginesOfMode.thirdparty.map((name) => `\`${name}\``).join(", ")}. ${unnamed}`,
    ...engine("thirdparty"),
  },
  searxngUrl: {
    name: settingOfEngine.searxng,
    meaning: "Address of a SearXNG that answers in JSON. Unset: there is none.",
    ...engineAddress("http", "https"),
  },
  braveApiKey: {
    name: settingOfEngine.brave,
    meaning: "Key of Brave's Search API. Unset: it is not used.",
    ...keyOrUnset,
  },
  braveApiUrl: {
    name: "BRAVE_SEARCH_API_URL",
    meaning: "Where Brave's Search API is.",
    ...apiUrl("https://api.search.brave.com/res/v1"),
  },
  tavilyApiKey: { name: settingOfEngine.tavily, meaning: "Key of Tavily. Unset: it is not used.", ...keyOrUnset },
  tavilyApiUrl: { name: "TAVILY_API_URL", meaning: "Where Tavily's API is.", ...apiUrl("https://api.tavily.com") },
  exaApiKey: { name: settingOfEngine.exa, meaning: "Key of Exa. Unset: it is not used.", ...keyOrUnset },
  exaApiUrl: { name: "EXA_API_URL", meaning: "Where Exa's API is.", ...apiUrl("https://api.exa.ai") },
  linkupApiKey: { name: settingOfEngine.linkup, meaning: "Key of Linkup. Unset: it is not used.", ...keyOrUnset },
  linkupApiUrl: { name: "LINKUP_API_URL", meaning: "Where Linkup's API is.", ...apiUrl("https://api.linkup.so/v1") },
  crawlAllowedHosts: {
    name: "CRAWL_ALLOWED_HOSTS",
    default: "",
    meaning:
      "Hosts whose pages may be read although they are not at public addresses, as an intranet's: `host` or `host:port`, joined by commas. Unset: none.",
    allowed: "hosts such as `wiki.example.org` or `wiki.example.org:8443`, joined by commas",
    parse: crawlHosts,
  },
  crawlConcurrency: {
    name: "CRAWL_CONCURRENCY",
    default: "8",
    meaning: "How many pages of the web are read at once.",
    ...integer(1, 256),
  },
  crawlMaxBytes: {
    name: "CRAWL_MAX_BYTES",
    default: "5000000",
    meaning: "Largest page in bytes, as sent and unpacked; of a larger one the engine's snippet is answered.",
    ...integer(1_024, 100_000_000),
  },
  crawlUserAgent: {
    name: "CRAWL_USER_AGENT",
    default: "EnterpriseSearchBot/1.0",
    meaning:
      "How the service names itself to sites whose pages it reads, and by which name their `robots.txt` knows it.",
    allowed: "up to 200 visible ASCII characters and spaces",
    parse: (value) => (/^[!-~][ -~]{0,199}$/.test(value) ? value : undefined),
  },
  httpsProxy: {
    name: "HTTPS_PROXY",
    meaning: "Proxy for engines and pages by https. Unset: they are asked directly.",
    ...engineAddress("http", "https"),
  },
  noProxy: {
    name: "NO_PROXY",
    default: "",
    meaning: "Hosts that are asked without the proxy, joined by commas.",
    allowed: "hosts joined by commas",
    parse: (value) => (/^[!-~ ]{0,10000}$/.test(value) ? value : undefined),
  },
};

function crawlHosts(value: string): readonly CrawlHost[] | undefined {
  const hosts = value.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [crawlHost(entry.trim())]));
  return hosts.every((host) => host !== undefined) ? hosts : undefined;
}

function crawlHost(entry: string): CrawlHost | undefined {
  const written = `http://${entry}`;
  if (/[\s/@?#\\]/.test(entry) || !URL.canParse(written)) return undefined;
  // A scheme has a port of its own, which the parser would leave out.
  const port = /:(\d{1,5})$/.exec(entry.replace(/^\[[^\]]*\]/, ""))?.[1];
  return { host: new URL(written).hostname.replace(/^\[|\]$/g, ""), port: port === undefined ? null : Number(port) };
}

const keysOfEngines: Readonly<Record<EngineName, keyof WebConfig>> = {
  searxng: "searxngUrl",
  brave: "braveApiKey",
  tavily: "tavilyApiKey",
  exa: "exaApiKey",
  linkup: "linkupApiKey",
};

/** The engines for which everything is set. */
export const enginesThere = (config: WebConfig): ReadonlySet<EngineName> =>
  new Set(engineNames.filter((name) => config[keysOfEngines[name]] !== null));

const namingFields = ["webSearchEngine", "webSearchContextEngine", "webSearchThirdpartyEngine"] as const;

/** Engines that are named without what is needed to ask them. */
export function webContradictions(config: WebConfig): readonly string[] {
  const there = enginesThere(config);
  return namingFields.flatMap((field) => {
    const engineName = config[field];
    if (engineName === null || there.has(engineName)) return [];
    const missing = settingOfEngine[engineName];
    return [`${webSettings[field].name} is ${engineName}, but ${missing} is not set. Set both, or neither.`];
  });
}
