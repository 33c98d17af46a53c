import { WebSearchUnavailable } from "../shared/failures.js";
import type { WebSearchMode } from "./webSearch.js";

/** Every engine that there is, by the name that settings have for it. */
export const engineNames = ["searxng", "brave", "tavily", "exa", "linkup"] as const;

export type EngineName = (typeof engineNames)[number];

/** The engines that can serve a mode. */
export const enginesOfMode = {
  search: engineNames,
  context: ["brave", "linkup", "exa", "tavily"],
  thirdparty: ["tavily", "exa", "linkup"],
} as const satisfies Readonly<Record<WebSearchMode, readonly EngineName[]>>;

/** What gives the service an engine: its address, or its key. */
export const settingOfEngine: Readonly<Record<EngineName, string>> = {
  searxng: "SEARXNG_URL",
  brave: "BRAVE_SEARCH_API_KEY",
  tavily: "TAVILY_API_KEY",
  exa: "EXA_API_KEY",
  linkup: "LINKUP_API_KEY",
};

/** The setting that names the engine of a mode. */
export const settingOfMode: Readonly<Record<WebSearchMode, string>> = {
  search: "WEB_SEARCH_ENGINE",
  context: "WEB_SEARCH_CONTEXT_ENGINE",
  thirdparty: "WEB_SEARCH_THIRDPARTY_ENGINE",
};

/** An engine that can serve a mode. */
export type EngineOf<Mode extends WebSearchMode> = (typeof enginesOfMode)[Mode][number];

/** The engines that settings have named, by mode; null: none. */
export type NamedEngines = { readonly [Mode in WebSearchMode]: EngineOf<Mode> | null };

/**
 * The engine that serves a mode: the one that its setting names, else the only one that is there and can.
 *
 * @throws WebSearchUnavailable with the setting that is missing.
 */
export function engineOfMode<Mode extends WebSearchMode>(
  mode: Mode,
  named: NamedEngines,
  there: ReadonlySet<EngineName>,
): EngineOf<Mode> {
  const name = named[mode];
  if (name !== null) return name;
  const able = (enginesOfMode[mode] as readonly EngineOf<Mode>[]).filter((engine) => there.has(engine));
  const [only] = able;
  if (only !== undefined && able.length === 1) return only;
  throw new WebSearchUnavailable(only === undefined ? noneFor(mode) : severalFor(mode, able));
}

/** Whether an engine serves a mode. */
export function isServed(mode: WebSearchMode, named: NamedEngines, there: ReadonlySet<EngineName>): boolean {
  if (named[mode] !== null) return true;
  return enginesOfMode[mode].filter((engine) => there.has(engine)).length === 1;
}

const noneFor = (mode: WebSearchMode): string =>
  `No engine serves the mode "${mode}". An operator has to set ${settingOfMode[mode]} to one of ${enginesOfMode[mode].join(", ")}, and ${enginesOfMode[mode].map((engine) => settingOfEngine[engine]).join(" or ")} with it.`;

const severalFor = (mode: WebSearchMode, able: readonly EngineName[]): string =>
  `Several engines can serve the mode "${mode}". An operator has to set ${settingOfMode[mode]} to one of ${able.join(", ")}.`;
