import type { UpstreamModel } from "../../chat/ports/modelUpstream.js";

const mostModels = 2_000;
/** What servers call the length of the context, and their names for how many tokens fit. */
const contextFields = ["context_length", "max_model_len", "context_window", "max_context_length", "context_tokens"];

/** The models of `GET /models`; null where it is no list. What has no id is left out. */
export function toUpstreamModels(answer: unknown): readonly UpstreamModel[] | null {
  const data = (answer as { readonly data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(data)) return null;
  return data.slice(0, mostModels).flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return [];
    const model = entry as Readonly<Record<string, unknown>>;
    const { id, created } = model;
    if (typeof id !== "string" || id === "") return [];
    const context = contextFields.map((name) => model[name]).find((value) => typeof value === "number" && value > 0);
    return [
      {
        id,
        created: typeof created === "number" && created > 0 ? Math.floor(created) : 0,
        contextTokens: typeof context === "number" ? Math.floor(context) : null,
        takesImages: takesImages(model),
      },
    ];
  });
}

/** OpenRouter's `architecture.input_modalities`, or the same beside the id. */
function takesImages(model: Readonly<Record<string, unknown>>): boolean {
  const { architecture, input_modalities: own, modalities } = model;
  const nested = (architecture as { readonly input_modalities?: unknown } | null | undefined)?.input_modalities;
  return [nested, own, modalities].some((list) => Array.isArray(list) && list.includes("image"));
}
