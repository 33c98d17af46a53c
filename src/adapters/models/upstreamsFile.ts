import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { UpstreamModel } from "../../chat/ports/modelUpstream.js";

/** A server of the upstreams file. */
interface DescribedUpstream {
  readonly name: string;
  readonly url: string;
  /** The environment variable that holds its key; null: it asks for none. */
  readonly apiKeyEnv: string | null;
  /** The models that are served of it; null: all that it lists. */
  readonly models: readonly UpstreamModel[] | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the file that `LLM_UPSTREAMS_FILE` names. Throws a sentence that says what is wrong with it. */
export function readUpstreamsFile(path: string): readonly DescribedUpstream[] {
  const wrong = (problem: string): Error => new Error(`LLM_UPSTREAMS_FILE (${path}) cannot be used: ${problem}`);
  const described = valueIn(path, wrong);
  if (!Array.isArray(described)) throw wrong("it has to be a list of servers.");
  const upstreams = described.map((entry: unknown, at) =>
    upstreamOf(entry, (problem) => wrong(`server ${at + 1}: ${problem}`)),
  );
  const names = upstreams.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw wrong(`two servers are named ${JSON.stringify(twice)}.`);
  return upstreams;
}

function valueIn(path: string, wrong: (problem: string) => Error): unknown {
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

const keysOfUpstream = ["name", "url", "api_key_env", "models"];
const keysOfModel = ["id", "context_tokens", "images"];

function upstreamOf(entry: unknown, wrong: (problem: string) => Error): DescribedUpstream {
  const { name, url, api_key_env: env = null, models } = fieldsOf(entry, keysOfUpstream, wrong);
  if (!isText(name, /^[a-z0-9][a-z0-9._-]{0,63}$/i)) throw wrong("`name` has to be letters, digits, `.`, `_` and `-`.");
  if (!isText(url, /^https?:\/\/[!-~]+$/) || !URL.canParse(url))
    throw wrong("`url` has to be an address that begins with http:// or https://.");
  if (env !== null && !isText(env, /^[A-Za-z_]\w*$/))
    throw wrong("`api_key_env` has to be the name of an environment variable.");
  return { name, url, apiKeyEnv: env, models: models === undefined ? null : modelsOf(models, wrong) };
}

const isText = (value: unknown, form: RegExp): value is string => typeof value === "string" && form.test(value);

function modelsOf(models: unknown, wrong: (problem: string) => Error): readonly UpstreamModel[] {
  if (!Array.isArray(models)) throw wrong("`models` has to be a list.");
  return models.map((model: unknown) => modelOf(model, wrong));
}

function modelOf(entry: unknown, wrong: (problem: string) => Error): UpstreamModel {
  const {
    id,
    context_tokens: contextTokens,
    images,
  } = typeof entry === "string" ? ({ id: entry } as Fields) : fieldsOf(entry, keysOfModel, wrong);
  if (typeof id !== "string" || id === "") throw wrong("each of `models` has to be an id, or to have one.");
  if (contextTokens !== undefined && !(Number.isSafeInteger(contextTokens) && Number(contextTokens) > 0))
    throw wrong(`\`context_tokens\` of ${JSON.stringify(id)} has to be a whole number above 0.`);
  if (images !== undefined && typeof images !== "boolean")
    throw wrong(`\`images\` of ${JSON.stringify(id)} has to be true or false.`);
  return {
    ...{ id, created: 0, takesImages: images === true },
    contextTokens: contextTokens === undefined ? null : Number(contextTokens),
  };
}

function fieldsOf(entry: unknown, known: readonly string[], wrong: (problem: string) => Error): Fields {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) throw wrong("it has to have fields.");
  const other = Object.keys(entry).find((key) => !known.includes(key));
  if (other !== undefined) throw wrong(`there is no field ${JSON.stringify(other)}; there are ${known.join(", ")}.`);
  return entry as Fields;
}
