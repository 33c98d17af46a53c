import type { Logger } from "pino";
import { availableParallelism } from "node:os";
import type { Chat } from "../chat/chat.js";
import { type ChatParts, createChat } from "../chat/createChat.js";
import type { Config } from "../config.js";
import type { AsyncDisposableStack } from "../shared/asyncDisposableStack.js";
import type { WebSearch } from "../webSearch/webSearch.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";
import { OpenAiUpstream, type OpenAiUpstreamOptions } from "../adapters/models/openAiUpstream.js";
import { Catalogue } from "../chat/models/catalogue.js";
import { createDocumentTexts, createInternalSearch } from "../chat/internalSearch.js";
import type { SearchPorts } from "../chat/tools/searches.js";
import { valueOf } from "../http/envelopes.js";
import { createSummarize } from "../chat/webSummary.js";
import type { Summarize } from "../webSearch/ports.js";
import type { UpstreamModel } from "../chat/ports/modelUpstream.js";
import { secretOf } from "../settings/secretFiles.js";
import type { EnginesOfTheWeb } from "../adapters/web/openWeb.js";
import { ExtractionPool } from "../adapters/extraction/pool/extractionPool.js";
import { createWebSearch } from "../webSearch/createWebSearch.js";
import { engineOfMode, isServed, type NamedEngines } from "../webSearch/engines.js";
import { enginesThere } from "../settings/web.js";

/** Each needs the other: chats search the web, and a model sums up what a search has found. */
export async function openWebAndChat(
  config: Config,
  logger: Logger,
  parts: AsyncDisposableStack,
  given: Pick<ChatParts, "agents" | "files"> & { readonly readSide: ReadSide; readonly writeSide: WriteSide },
): Promise<{ readonly webSearch: WebSearch; readonly searchesWeb: boolean; readonly chat: Chat }> {
  const { agents, files, readSide, writeSide } = given;
  const summarize: ChatSide["summarize"] = (...asked) => chatSide.summarize(...asked);
  const { webSearch, searchesWeb } = parts.adopt(openWebSearch(config, logger, summarize), (part) => part.close());
  const searches = searchesOfChat(readSide, writeSide, webSearch);
  const chatSide = parts.adopt(await openChatSide(config, { agents, files, searches }), (part) => part.close());
  return { webSearch, searchesWeb, chat: chatSide.chat };
}

/** What answers chats. */
interface ChatSide {
  readonly chat: Chat;
  /** By the default model, where that is one of an upstream. */
  readonly summarize: Summarize;
  /** Ends the answers that are under way, and every connection to models. */
  close(): Promise<void>;
}

type ChatSideConfig = Pick<
  Config,
  "productName" | "llmUrl" | "llmApiKey" | "llmDefaultModel" | "llmUpstreamsFile" | "llmTimeoutMs"
>;

/** Models of the upstreams that settings name. No upstream is asked before somebody asks for one. */
export async function openChatSide(
  config: ChatSideConfig,
  parts: Pick<ChatParts, "agents" | "files" | "searches">,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ChatSide> {
  const upstreams = (await upstreamsOf(config, environment)).map(({ options, models, isClosed }) => ({
    upstream: new OpenAiUpstream(options),
    models,
    isClosed,
  }));
  const models = new Catalogue(upstreams);
  const extractiveModel = extractiveModelOf(config);
  const defaultModel = config.llmDefaultModel ?? extractiveModel;
  return {
    chat: createChat({ ...parts, models, extractiveModel, defaultModel, now: () => new Date() }),
    summarize: createSummarize(models, defaultModel),
    close: async () => {
      models.stop();
      await Promise.all(upstreams.map(({ upstream }) => upstream.close()));
    },
  };
}

const extractiveModelOf = ({ productName }: Pick<Config, "productName">): string => `${productName}-extractive`;

interface Upstream {
  readonly options: OpenAiUpstreamOptions;
  readonly models: readonly UpstreamModel[];
  readonly isClosed: boolean;
}

async function upstreamsOf(config: ChatSideConfig, environment: NodeJS.ProcessEnv): Promise<readonly Upstream[]> {
  const { llmUrl: url, llmApiKey: apiKey, llmTimeoutMs: timeoutMs } = config;
  const described = await describedUpstreams(config, environment);
  if (url === null) return described;
  const names = described.map(({ options }) => options.name);
  return [
    { options: { name: null, url, apiKey, timeoutMs }, models: ownDefault(config, names), isClosed: false },
    ...described,
  ];
}

/** The default model is there also where its server lists nothing. */
function ownDefault(
  { llmDefaultModel: id, ...config }: ChatSideConfig,
  names: readonly (string | null)[],
): readonly UpstreamModel[] {
  const isElsewhere =
    id === null || id === extractiveModelOf(config) || names.some((name) => id.startsWith(`${name}/`));
  return isElsewhere ? [] : [{ id, created: 0, contextTokens: null, takesImages: false }];
}

async function describedUpstreams(
  { llmUpstreamsFile: file, llmTimeoutMs: timeoutMs }: ChatSideConfig,
  environment: NodeJS.ProcessEnv,
): Promise<readonly Upstream[]> {
  if (file === null) return [];
  const { readUpstreamsFile } = await import("../adapters/models/upstreamsFile.js");
  return readUpstreamsFile(file).map(({ name, url, apiKeyEnv, models }) => {
    const apiKey = apiKeyEnv === null ? null : keyOf(apiKeyEnv, environment);
    if (apiKey === undefined)
      throw new Error(
        `LLM_UPSTREAMS_FILE (${file}) names ${apiKeyEnv} for ${name}, which the environment does not set.`,
      );
    return { options: { name, url, apiKey, timeoutMs }, models: models ?? [], isClosed: models !== null };
  });
}

/** Undefined where neither the variable nor the one that names a file is set. */
function keyOf(variable: string, environment: NodeJS.ProcessEnv): string | undefined {
  const key = secretOf(variable, environment);
  if (!key.ok) throw new Error(key.error);
  return key.value.text || undefined;
}

/** What models may search, each search by what it rests on. */
const searchesOfChat = (
  { queries }: Pick<ReadSide, "queries">,
  { commands }: Pick<WriteSide, "commands">,
  webSearch: WebSearch,
): SearchPorts => ({
  webSearch,
  internalSearch: createInternalSearch(queries),
  documents: createDocumentTexts(queries),
  recorder: { record: async (sent, context) => void valueOf(await commands.recordWebQuery(sent, context)) },
});

/** A page that takes longer to read is not worth waiting for. */
const readingMs = 3_000;
/** More of a page nobody reads. */
const mostCharacters = 1_000_000;

/** Searches of the web. What they rest on is loaded and started with the first of them. */
function openWebSearch(
  config: Config,
  logger: Logger,
  summarize: Summarize,
): { readonly webSearch: WebSearch; readonly searchesWeb: boolean; close(): Promise<void> } {
  // Pages have a pool of their own: they wait for no files that are pushed, and files for no pages.
  const pool = new ExtractionPool({
    limits: { maxCharacters: Math.min(mostCharacters, config.extractionMaxCharacters), ocrLanguages: null },
    timeoutMs: Math.min(readingMs, config.extractionTimeoutMs),
    memoryMb: config.extractionMemoryMb,
    // One that takes its time must not be all there is.
    concurrency: config.extractionConcurrency ?? Math.max(2, availableParallelism() - 1),
    maxWaiting: config.extractionQueue,
    onEnded: (ending) => logger.warn({ because: ending }, "A process that read a page has ended, and is replaced."),
  });
  let opened: Promise<EnginesOfTheWeb> | undefined;
  const open = (): Promise<EnginesOfTheWeb> =>
    (opened ??= import("../adapters/web/openWeb.js").then(({ openWeb }) => openWeb(config, pool)));
  const named: NamedEngines = {
    search: config.webSearchEngine,
    context: config.webSearchContextEngine,
    thirdparty: config.webSearchThirdpartyEngine,
  };
  const there = enginesThere(config);
  const webSearch = createWebSearch({
    summarize,
    defaultMode: config.webSearchDefaultMode,
    engine: async (mode) => {
      const name = engineOfMode(mode, named, there);
      return (await open()).engines[name]();
    },
    groundingEngine: async () => {
      const name = engineOfMode("context", named, there);
      return (await open()).engines[name]();
    },
    pages: async () => (await open()).pages,
  });
  return {
    webSearch,
    searchesWeb: isServed(config.webSearchDefaultMode, named, there),
    close: async () => {
      await (await opened)?.close();
      await pool.close();
    },
  };
}
