import { engineAddress, integer, integerOrUnset, keyOrUnset, type Setting } from "./kinds.js";

/** The models that searches ask. */
export interface MeaningConfig {
  /** Base of a server that makes vectors of texts, as OpenAI's does; null: there is none. */
  readonly embeddingsUrl: string | null;
  /** null: it asks for none. */
  readonly embeddingsApiKey: string | null;
  /** null: it has only one. */
  readonly embeddingsModel: string | null;
  /** How many numbers a vector is asked to have; null: as many as the model makes. */
  readonly embeddingsDimensions: number | null;
  /** What the model wants before a query; null: nothing. */
  readonly embeddingsQueryPrefix: string | null;
  /** What the model wants before a passage; null: nothing. */
  readonly embeddingsPassagePrefix: string | null;
  /** For so long a search waits for the vector of its query. */
  readonly embeddingsTimeoutMs: number;
  /** A passage is found by its meaning from this cosine on, in hundredths. */
  readonly embeddingsLeastSimilarity: number;
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

const prefixOrUnset = {
  default: "",
  allowed: "a text of up to 200 characters, without line breaks",
  parse: (value: string) => (value === "" ? null : /^(?=.*\S)\P{Cc}{1,200}$/u.test(value) ? value.trim() : undefined),
};

export const meaningSettings: { readonly [Field in keyof MeaningConfig]: Setting<MeaningConfig[Field]> } = {
  embeddingsUrl: {
    name: "EMBEDDINGS_URL",
    meaning:
      "Base of a server that makes vectors, with OpenAI's route `/embeddings`: documents are then found by their meaning, too, and the texts of all of them are sent there ([meaning](docs/meaning.md)). Unset: by their words alone.",
    ...engineAddress("http", "https"),
  },
  embeddingsApiKey: { name: "EMBEDDINGS_API_KEY", meaning: "The key for it.", ...keyOrUnset },
  embeddingsModel: {
    name: "EMBEDDINGS_MODEL",
    meaning: "Its model; vectors are made anew when it changes. Unset: none is named.",
    ...modelOrUnset,
  },
  embeddingsDimensions: {
    name: "EMBEDDINGS_DIMENSIONS",
    meaning:
      "How many numbers a vector is asked to have, of models that can make shorter ones. Unset: as many as the model makes.",
    ...integerOrUnset(1, 4_096),
  },
  embeddingsQueryPrefix: {
    name: "EMBEDDINGS_QUERY_PREFIX",
    meaning:
      "What the model wants before a query, as its card says (`query:` for E5); a blank follows it. Unset: nothing.",
    ...prefixOrUnset,
  },
  embeddingsPassagePrefix: {
    name: "EMBEDDINGS_PASSAGE_PREFIX",
    meaning:
      "What it wants before a passage (`passage:` for E5); vectors are made anew when it changes. Unset: nothing.",
    ...prefixOrUnset,
  },
  embeddingsTimeoutMs: {
    name: "EMBEDDINGS_TIMEOUT_MS",
    default: "300",
    meaning: "For how long a search waits for the vector of its query, before it goes by words alone.",
    ...integer(10, 60_000),
  },
  embeddingsLeastSimilarity: {
    name: "EMBEDDINGS_LEAST_SIMILARITY",
    default: "50",
    meaning:
      "How near a passage has to be to be found by its meaning: the cosine in hundredths. What is near differs from model to model.",
    ...integer(0, 100),
  },
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
