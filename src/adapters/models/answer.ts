import {
  type ModelSign,
  type ToolCall,
  type Usage,
  UpstreamFailure,
  type Prompt,
  type PromptMessage,
  type PromptPart,
} from "../../chat/ports/modelUpstream.js";
import { SpokenText } from "./thoughts.js";
import { brokenOff, parsed } from "./troubles.js";

/** What a model may write into all calls of tools at once: ids, names and arguments. */
const mostCallCharacters = 262_144;

const mostCalls = 64;

/** What a model may think for one answer. More is of one that does not find its end. */
const mostThoughtCharacters = 2_000_000;

type WireCall = NonNullable<NonNullable<NonNullable<WireChunk["choices"]>[number]["delta"]>["tool_calls"]>[number];
type FinishReason = Extract<ModelSign, { kind: "end" }>["finishReason"];

/**
 * Reads the answer of a model's server: text as it comes, tool calls once they are whole. A stream that ends before its
 * end was told is a failure. `withoutKey` takes the service's key out of what a server says of a failure.
 */
export async function* readAnswer(
  body: AsyncIterable<Uint8Array>,
  mediaType: string,
  withoutKey: (text: string) => string,
): AsyncGenerator<ModelSign, void, void> {
  if (!mediaType.startsWith("text/event-stream")) throw noStream(mediaType);
  const heard = new Heard();
  for await (const chunk of chunksOf(body, withoutKey)) {
    yield* heard.note(chunk);
  }
  yield* heard.end();
}

/** What a model's server has said so far besides text. */
class Heard {
  private readonly spoken = new SpokenText();
  private thought = 0;
  private readonly calls = new GatheredCalls();
  private finishReason: FinishReason | null = null;
  private usage: Usage | null = null;

  /** What the chunk says to the person. */
  *note(chunk: WireChunk): Generator<ModelSign, void, void> {
    this.usage = usageIn(chunk) ?? this.usage;
    const { delta, finish_reason: said } = chunk.choices?.[0] ?? {};
    if (Array.isArray(delta?.tool_calls)) this.calls.add(delta.tool_calls as readonly WireCall[]);
    if (typeof said === "string") this.finishReason = said === "length" || said === "content_filter" ? said : "stop";
    yield* this.words(saidIn(delta ?? {}));
  }

  private *words({ text, thought, refusal }: Said): Generator<ModelSign, void, void> {
    yield* wordsOf("text", this.spoken.add(text));
    yield* wordsOf("refusal", refusal);
    this.thought += thought.length;
    if (this.thought + this.spoken.thought > mostThoughtCharacters)
      throw new UpstreamFailure("broken", "The model's thoughts find no end.");
  }

  *end(): Generator<ModelSign, void, void> {
    const { finishReason, usage, calls } = this;
    if (finishReason === null)
      throw new UpstreamFailure("broken", "The model's server ended the connection before the answer was whole.");
    yield* wordsOf("text", this.spoken.end());
    if (calls.whole.length > 0) yield { kind: "toolCalls", calls: calls.whole };
    yield { kind: "end", finishReason, usage };
  }
}

function* wordsOf(kind: "text" | "refusal", text: string): Generator<ModelSign, void, void> {
  if (text !== "") yield { kind, text };
}

/** Ends with `[DONE]`, or with the stream. */
async function* chunksOf(
  body: AsyncIterable<Uint8Array>,
  withoutKey: (text: string) => string,
): AsyncGenerator<WireChunk, void, void> {
  try {
    for await (const data of eventData(body)) {
      if (data === "[DONE]") return;
      const chunk = parsed(data);
      if (typeof chunk !== "object" || chunk === null) throw senseless();
      const { error } = chunk as WireChunk;
      if (error !== undefined && error !== null) throw brokenOff(withoutKey(data));
      yield chunk;
    }
  } catch (error) {
    throw error instanceof EndlessEvent ? senseless() : error;
  }
}

const senseless = (): UpstreamFailure =>
  new UpstreamFailure("broken", "The model's server answered what nobody understands.");

const noStream = (mediaType: string): UpstreamFailure =>
  new UpstreamFailure(
    "broken",
    `The model's server answered with ${mediaType || "no media type"} instead of a stream.`,
  );

/** Tool calls come in pieces: each says which call it belongs to, by its number, or, at some servers, by a new id. */
class GatheredCalls {
  private readonly byIndex = new Map<number, { id: string; name: string; arguments: string }>();
  private characters = 0;

  add(pieces: readonly WireCall[]): void {
    for (const piece of pieces) {
      this.addPiece(piece);
      if (this.characters > mostCallCharacters || this.byIndex.size > mostCalls) throw senseless();
    }
  }

  private addPiece({ index, id, function: called }: WireCall): void {
    const at = this.placeOf(index, id);
    const call = this.byIndex.get(at) ?? { id: "", name: "", arguments: "" };
    const [ownId, name, given] = [textOf(id), textOf(called?.name), textOf(called?.arguments)];
    this.byIndex.set(at, { id: ownId || call.id, name: name || call.name, arguments: call.arguments + given });
    this.characters += ownId.length + name.length + given.length;
  }

  get whole(): readonly ToolCall[] {
    return [...this.byIndex].map(([at, call]) => ({ ...call, id: call.id === "" ? `call_${at}` : call.id }));
  }

  private placeOf(index: unknown, id: unknown): number {
    if (typeof index === "number") return index;
    const isNew = typeof id === "string" && ![...this.byIndex.values()].some((call) => call.id === id);
    return isNew ? this.byIndex.size : this.byIndex.size - 1;
  }
}

/** Some servers write the arguments as the object that they are. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "object" && value !== null ? JSON.stringify(value) : "";

/** More of an event would be held in memory for nothing: no model writes as much at once. */
const longestEvent = 4_194_304;

/** Thrown where an event of a stream, or a line of it, is too long to be one. */
export class EndlessEvent extends Error {
  override readonly name = "EndlessEvent";
}

/**
 * The data of the events of an SSE stream (WHATWG HTML, 9.2.6), one after the other, as their bytes come. Comments and
 * fields other than `data` are passed over. An event that the stream ends in is none.
 */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let data: string[] = [];
  let held = 0;
  for await (const line of linesOf(bytes)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      [data, held] = [[], 0];
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      held += line.length;
      if (held > longestEvent) throw new EndlessEvent();
    }
  }
}

/** Looks at each piece once, however many of them a line comes in. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let [line, halfEnd] = ["", ""];
  for await (const piece of bytes) {
    const text = halfEnd + decoder.decode(piece, { stream: true });
    // A carriage return at the end may be the first half of a line's end.
    halfEnd = text.endsWith("\r") ? "\r" : "";
    const [first = "", ...others] = text.slice(0, text.length - halfEnd.length).split(/\r\n|\n|\r/);
    line += first;
    for (const next of others) {
      yield line;
      line = next;
    }
    if (line.length > longestEvent) throw new EndlessEvent();
  }
}

/** A chunk of a streamed completion, as far as it is read. Nothing of it is sure to be as it should. */
interface WireChunk {
  readonly choices?: readonly {
    readonly delta?:
      | (WireDelta & {
          readonly tool_calls?: readonly {
            readonly index?: unknown;
            readonly id?: unknown;
            readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
          }[];
        })
      | null;
    readonly finish_reason?: unknown;
  }[];
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
  readonly error?: unknown;
}

/** What is sent to a model's server. */
export const toWire = ({ model, messages, tools, temperature }: Prompt): object => ({
  model,
  messages: messages.map(toWireMessage),
  ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
  ...(temperature !== null && { temperature }),
  stream: true,
  stream_options: { include_usage: true },
});

function toWireMessage(message: PromptMessage): object {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: toWireContent(message.parts) };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text };
    case "assistant":
      return {
        role: "assistant",
        content: message.text,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, arguments: given }) => ({
            id,
            type: "function",
            function: { name, arguments: given },
          })),
        }),
      };
  }
}

/** One text where there are only texts: not every server takes parts. */
function toWireContent(parts: readonly PromptPart[]): unknown {
  if (parts.every((part) => part.kind === "text")) return parts.map(({ text }) => text).join("\n\n");
  return parts.map((part) =>
    part.kind === "text" ? { type: "text", text: part.text } : { type: "image_url", image_url: { url: part.url } },
  );
}

/** The tokens that a chunk tells; null where it tells none. */
function usageIn({ usage }: WireChunk): Usage | null {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {};
  return typeof promptTokens === "number" && typeof completionTokens === "number"
    ? { promptTokens, completionTokens }
    : null;
}

/** What a piece of an answer says, thinks and declines. */
interface Said {
  readonly text: string;
  readonly thought: string;
  readonly refusal: string;
}

/** The fields of a piece of an answer that hold words. Nothing of it is sure to be as it should. */
interface WireDelta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  /** The names that servers have for what a model thinks. */
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
}

/** What a piece of an answer says, be its content a text or a list of parts. */
function saidIn({ content, refusal, reasoning_content: thought, reasoning }: WireDelta): Said {
  const parts = partsIn(content);
  const textOfKind = (wanted: keyof Said): string =>
    parts.map((part) => (part.kind === wanted ? part.text : "")).join("");
  return {
    text: textOfKind("text"),
    thought: textOfKind("thought") + textIn(thought) + textIn(reasoning),
    refusal: textOfKind("refusal") + textIn(refusal),
  };
}

interface Part {
  readonly kind: keyof Said;
  readonly text: string;
}

const partsIn = (content: unknown): readonly Part[] => (Array.isArray(content) ? content : [content]).map(partOf);

/** Parts without words, such as images and references, say nothing. */
function partOf(part: unknown): Part {
  if (typeof part !== "object" || part === null) return { kind: "text", text: textIn(part) };
  const { type, text, refusal } = part as Readonly<Record<string, unknown>>;
  if (type === "refusal") return { kind: "refusal", text: textIn(refusal) };
  return { kind: type === "thinking" || type === "reasoning" ? "thought" : "text", text: textIn(text) };
}

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
