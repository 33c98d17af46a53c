import { engineAddress, fileOrUnset, integer, keyOrUnset, type Setting } from "./kinds.js";

/** The settings of the models that answer chats, and of how many chats they answer. */
export interface ChatConfig {
  /** Base of a server that speaks OpenAI's protocol, which ends in `/v1`; null: there is none of this name. */
  readonly llmUrl: string | null;
  /** null: it asks for none. */
  readonly llmApiKey: string | null;
  /** The default model as clients name it; null: the extractive model. */
  readonly llmDefaultModel: string | null;
  /** YAML list of servers; null: there is none. */
  readonly llmUpstreamsFile: string | null;
  /** For so long a model's server may say nothing. */
  readonly llmTimeoutMs: number;
  /** How many answers are made at once. */
  readonly chatMaxConcurrent: number;
  /** The same for one person. */
  readonly chatMaxConcurrentPerPerson: number;
}

export const chatSettings: { readonly [Field in keyof ChatConfig]: Setting<ChatConfig[Field]> } = {
  llmUrl: {
    name: "LLM_URL",
    meaning:
      "Base of a server that speaks OpenAI's protocol, such as `http://ollama:11434/v1`. Unset: only the extractive model answers chats, and those of `LLM_UPSTREAMS_FILE`.",
    ...engineAddress("http", "https"),
  },
  llmApiKey: { name: "LLM_API_KEY", meaning: "The key for it.", ...keyOrUnset },
  llmDefaultModel: {
    name: "LLM_DEFAULT_MODEL",
    default: "",
    meaning: "The model that answers where none is named. Unset: the extractive model.",
    allowed: "the id of a model, without spaces",
    parse: (value) => (value === "" ? null : /^[!-~]{1,500}$/.test(value) ? value : undefined),
  },
  llmUpstreamsFile: {
    name: "LLM_UPSTREAMS_FILE",
    meaning: "YAML file that lists several such servers ([docs/chat.md](docs/chat.md)).",
    ...fileOrUnset,
  },
  llmTimeoutMs: {
    name: "LLM_TIMEOUT_MS",
    default: "120000",
    meaning: "For how long a model's server may say nothing before its answer is 504.",
    ...integer(100, 3_600_000),
  },
  chatMaxConcurrent: {
    name: "CHAT_MAX_CONCURRENT",
    default: "256",
    meaning: "How many chats are answered at once, in each process; beyond, 429 with `Retry-After`.",
    ...integer(1, 10_000),
  },
  chatMaxConcurrentPerPerson: {
    name: "CHAT_MAX_CONCURRENT_PER_PERSON",
    default: "16",
    meaning: "The same for one person.",
    ...integer(1, 10_000),
  },
};
