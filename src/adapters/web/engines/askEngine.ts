import { buffer } from "node:stream/consumers";
import { request, type Dispatcher } from "undici";
import { boundedBody } from "../../../shared/network.js";
import { orAborted } from "../../../shared/waiting.js";
import { retryAfterMs, WebSearchUnavailable } from "../../../shared/failures.js";
import { decodeEntities } from "../../../shared/entities.js";
import { withoutTrailing, beginningOf } from "../../../shared/texts.js";
import type { WebHit } from "../../../webSearch/ports.js";

/** What every adapter of an engine is opened with. */
export interface EngineAccess {
  /** Where its API is; paths are added to it. */
  readonly url: string;
  /** Connects to it, through a proxy where there is one. */
  readonly dispatcher: Dispatcher;
}

/** What every adapter of an engine with keys is opened with. */
export interface KeyedEngineAccess extends EngineAccess {
  readonly key: string;
}

export interface EngineRequest {
  /** The name that people call the engine by. */
  readonly name: string;
  /** The setting that a refused key came from; null: the engine takes none. */
  readonly keySetting: string | null;
  readonly access: EngineAccess;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes as JSON, by POST. Left out: the request is a GET. */
  readonly body?: object;
  readonly signal: AbortSignal;
  /** What a status means to this engine that is not what it means to others; undefined: the same. */
  explain?(refusal: EngineRefusal): EngineAnswer | WebSearchUnavailable | undefined;
}

/** The answer of an engine that is not 200. */
export interface EngineRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** undefined: no JSON. */
  readonly body: unknown;
}

/** The JSON that an engine has answered. */
export type EngineAnswer = Readonly<Record<string, unknown>>;

/** Whole pages of twenty results fit. */
const mostBytes = 32 * 1_048_576;

/**
 * Asks an engine, and gives its answer.
 *
 * @throws WebSearchUnavailable with a sentence that names the engine, and neither its words nor the key.
 */
export async function askEngine(asked: EngineRequest): Promise<EngineAnswer> {
  const { name, signal } = asked;
  const answer = await orAborted(send(asked), signal).catch((error: unknown) => {
    throw error instanceof WebSearchUnavailable ? error : new WebSearchUnavailable(whySilent(name, signal));
  });
  if (answer.status === 200) {
    if (isObject(answer.body)) return answer.body;
    throw new WebSearchUnavailable(`${name} gave an answer that is not understood.`);
  }
  const explained = asked.explain?.(answer) ?? explain(asked, answer);
  if (explained instanceof WebSearchUnavailable) throw explained;
  return explained;
}

const whySilent = (name: string, signal: AbortSignal): string =>
  signal.aborted ? `${name} did not answer in time.` : `${name} cannot be reached.`;

async function send(asked: EngineRequest): Promise<EngineRefusal> {
  const { access, path, query = {}, headers = {}, body, signal } = asked;
  const target = new URL(`${withoutTrailing(access.url, "/")}${path}`);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
  const response = await request(target, {
    ...{ dispatcher: access.dispatcher, signal, method: body === undefined ? "GET" : "POST" },
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const tooLong = (): Error => new WebSearchUnavailable(`${asked.name} gave an answer that is too long.`);
  const answer = await buffer(boundedBody(response.body, mostBytes, tooLong));
  return { status: response.statusCode, headers: single(response.headers), body: parsed(answer.toString()) };
}

const single = (headers: Dispatcher.ResponseData["headers"]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is EngineAnswer =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a status means to all of them. */
function explain({ name, keySetting }: EngineRequest, { status, headers }: EngineRefusal): WebSearchUnavailable {
  const waitMs = retryAfterMs(headers["retry-after"]);
  const refused = (sentence: string): WebSearchUnavailable =>
    new WebSearchUnavailable(sentence, waitMs === null ? null : Math.ceil(waitMs / 1_000));
  if ((status === 401 || status === 403) && keySetting !== null)
    return refused(`${name} does not accept the service's key. An operator has to check ${keySetting}.`);
  if (status === 402) return refused(noCredit(name));
  if (status === 429) return refused(`${name} takes no more questions at the moment (429).`);
  if (status >= 500) return refused(`${name} is not available at the moment (${status}).`);
  return refused(`${name} did not take the question (${status}).`);
}

/** What is said where an account has used up what it paid for. */
export const noCredit = (name: string): string =>
  `${name} answers no more questions: the plan or the credit of the service's key is used up.`;

/** A query within an engine's limits, cut at the end of a word where there is one. */
export function cutQuery(
  query: string,
  { characters, words }: { readonly characters: number; readonly words: number },
): string {
  const kept = query.trim().split(/\s+/).slice(0, words);
  while (kept.length > 1 && kept.join(" ").length > characters) kept.pop();
  return beginningOf(kept.join(" "), characters);
}

/** The text of a snippet that comes as a piece of HTML. A bare `<` is one. */
export const textOfSnippet = (snippet: unknown): string =>
  typeof snippet === "string"
    ? decodeEntities(snippet.replace(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/gi, ""))
        .replace(/\s+/g, " ")
        .trim()
    : "";

/** The objects of a list; none where it is no list. */
export const objectsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null && !Array.isArray(one)) : [];

/** The object that a value is; an empty one where it is none. */
export const objectIn = (value: unknown): Readonly<Record<string, unknown>> => objectsIn([value])[0] ?? {};

/** A text without white space around it; empty where it is none. */
export const textIn = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/** The texts of a list, without empty ones. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(textIn).filter((text) => text !== "") : [];

/** A hit from what an engine tells; what it leaves out is taken from what it does tell. */
export function toHit(
  url: unknown,
  {
    title,
    description,
    content,
  }: { readonly title: unknown; readonly description: unknown; readonly content: unknown },
): WebHit {
  const [address, heading, short, long] = [textIn(url), textIn(title), textIn(description), textIn(content)];
  const told = long || short || heading;
  return { url: address, title: heading || address, description: short || shortened(told), content: told };
}

const longestDescription = 300;

/** The beginning of a text, up to the end of a word. */
const shortened = (text: string): string =>
  text.length <= longestDescription
    ? text
    : `${text
        .slice(0, longestDescription)
        .replace(/\s\S*$/, "")
        .trimEnd()} …`;
