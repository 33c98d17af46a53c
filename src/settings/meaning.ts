import { engineAddress, integer, keyOrUnset, type Setting } from "./kinds.js";

/** The models that searches ask. */
export interface MeaningConfig {
  /** Base of a server that orders texts, as Cohere's and Jina's do; null: there is none. */
  readonly rerankUrl: string | null;
  /** null: it asks for none. */
  readonly rerankApiKey: string | null;
  /** null: it has only one. */
  readonly rerankModel: string | null;
  /** For so long a search waits for it. */
  readonly rerankTimeoutMs: number;
}

const modelOrUnset = {
  default: "",
  allowed: "the id of a model, without spaces",
  parse: (value: string) => (value === "" ? null : /^[!-~]{1,500}$/.test(value) ? value : undefined),
};

export const meaningSettings: { readonly [Field in keyof MeaningConfig]: Setting<MeaningConfig[Field]> } = {
  rerankUrl: {
    name: "RERANK_URL",
    meaning:
      "Base of a server that orders the first 50 hits of a search anew, with Cohere's and Jina's route `/rerank` ([meaning](docs/meaning.md)). Unset: the engine's order.",
    ...engineAddress("http", "https"),
  },
  rerankApiKey: { name: "RERANK_API_KEY", meaning: "The key for it.", ...keyOrUnset },
  rerankModel: { name: "RERANK_MODEL", meaning: "Its model. Unset: none is named.", ...modelOrUnset },
  rerankTimeoutMs: {
    name: "RERANK_TIMEOUT_MS",
    default: "1000",
    meaning: "For how long a search waits for it, before it answers in the engine's order.",
    ...integer(10, 60_000),
  },
};
