import { OpenAiUpstream, type OpenAiUpstreamOptions } from "../adapters/models/openAiUpstream.js";
import type { Chat } from "../chat/chat.js";
import { createChat, type ChatParts } from "../chat/createChat.js";
import { Catalogue } from "../chat/models/catalogue.js";
import { createInternalSearch } from "../chat/internalSearch.js";
import type { SearchPorts } from "../chat/tools/searches.js";
import { valueOf } from "../http/envelopes.js";
import { createSummarize } from "../chat/webSummary.js";
import type { Summarize } from "../webSearch/ports.js";
import type { WebSearch } from "../webSearch/webSearch.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";
import type { UpstreamModel } from "../chat/ports/modelUpstream.js";
import type { Config } from "../config.js";
import { secretOf } from "../settings/secretFiles.js";

/** What answers chats. */
export interface ChatSide {
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
export const searchesOfChat = (
  { queries }: Pick<ReadSide, "queries">,
  { commands }: Pick<WriteSide, "commands">,
  webSearch: WebSearch,
): SearchPorts => ({
  webSearch,
  internalSearch: createInternalSearch(queries),
  recorder: { record: async (sent, context) => void valueOf(await commands.recordWebQuery(sent, context)) },
});
