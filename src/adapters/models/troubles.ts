import { UpstreamFailure } from "../../chat/ports/modelUpstream.js";
import { withoutTrailing } from "../../shared/texts.js";

/** With what status servers refuse a prompt that does not fit. */
const tooLarge: ReadonlySet<number> = new Set([400, 413, 422]);
const longestReason = 300;
const overflow = /context.{0,20}(length|window|size)|too many tokens|prompt is too long|maximum.{0,20}tokens/i;

/**
 * How servers say that a model takes no tools: Ollama and OpenAI `does not support tools`, OpenRouter `No endpoints
 * found that support tool use`, vLLM `"auto" tool choice requires …`, llama.cpp `tools param requires --jinja flag`.
 */
const aboutTools = /\btools?\b|\bfunction call/i;
const notTaken = /n['’o]t support|unsupported|no endpoints found|\brequires?\b|not enabled/i;

/** What went wrong, by the status with which a model's server answered and what it says. */
export function refusedBy(status: number, body: string, retryAfter: string | null): UpstreamFailure {
  const said = errorIn(body);
  const reason = said.message === "" ? "" : `: ${said.message}`;
  if (tooLarge.has(status) && isOverflow(said)) return overflowed();
  switch (status) {
    case 429:
      return new UpstreamFailure("rateLimited", `The model's server takes no more questions for now.`, retryAfter);
    case 401:
    case 403:
      return new UpstreamFailure("broken", "The model's server refuses this service's key. Tell an operator.");
    case 503:
      return new UpstreamFailure("unavailable", `The model's server is not available now${reason}.`, retryAfter);
    case 408:
    case 504:
      return new UpstreamFailure("silent", `The model's server gave no answer in time${reason}.`);
    default:
      return brokenBy(said, `The model's server answered with status ${status}${reason}.`);
  }
}

/** An error that came in the middle of an answer: the frame that holds it. */
export function brokenOff(frame: string): UpstreamFailure {
  const said = errorIn(frame);
  const { message } = said;
  if (isOverflow(said)) return overflowed();
  return brokenBy(said, `The model's server broke its answer off${message === "" ? "" : `: ${message}`}.`);
}

/** What undici threw: the connection was not made, stood still, or broke. */
export function unreached(error: unknown, begun: boolean): UpstreamFailure {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code === "string" && /TIMEOUT|TIMEDOUT/.test(code) && code !== "UND_ERR_CONNECT_TIMEOUT")
    return new UpstreamFailure("silent", "The model's server was silent for too long.");
  if (begun)
    return new UpstreamFailure("broken", "The model's server ended the connection before the answer was whole.");
  if (code === "ECONNRESET" || code === "UND_ERR_SOCKET" || (typeof code === "string" && code.startsWith("HPE_")))
    return new UpstreamFailure("broken", "The model's server ended the connection without an answer.");
  return new UpstreamFailure("unavailable", "The model's server cannot be reached.");
}

const isOverflow = ({ code, message }: SaidError): boolean =>
  code === "context_length_exceeded" || overflow.test(message);

const overflowed = (): UpstreamFailure =>
  new UpstreamFailure("contextOverflow", "The conversation is longer than the model takes.");

const brokenBy = ({ message }: SaidError, sentence: string): UpstreamFailure =>
  new UpstreamFailure(aboutTools.test(message) && notTaken.test(message) ? "toolsRefused" : "broken", sentence);

interface SaidError {
  readonly code: string;
  readonly message: string;
}

/** `{error:{message,code}}`, `{error:"…"}`, `{message}` or `{detail}`: servers differ. One line, bounded. */
function errorIn(body: string): SaidError {
  const { error, message, detail } = (parsed(body) ?? {}) as Record<string, unknown>;
  const inner = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
  const said = [inner["message"], error, message, detail].find((value) => typeof value === "string") ?? "";
  return {
    code: String(inner["code"] ?? ""),
    message: withoutTrailing(said.replace(/\s+/g, " ").trim().slice(0, longestReason), ". "),
  };
}

/** The value of a JSON text; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
