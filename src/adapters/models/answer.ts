import type { ModelSign, ToolCall, Usage } from "../../chat/ports/modelUpstream.js";
import { UpstreamFailure } from "../../chat/ports/modelUpstream.js";
import { EndlessEvent, eventData } from "./eventStream.js";
import { brokenOff, parsed } from "./troubles.js";
import { usageIn, type WireChunk } from "./wire.js";

/** What a model may write into all calls of tools at once: ids, names and arguments. */
const mostCallCharacters = 262_144;
const mostCalls = 64;

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
    const content = heard.note(chunk);
    if (content !== "") yield { kind: "text", text: content };
  }
  yield* heard.end();
}

/** What a model's server has said so far besides text. */
class Heard {
  private readonly calls = new GatheredCalls();
  private finishReason: FinishReason | null = null;
  private usage: Usage | null = null;

  /** Answers with the text of the chunk. */
  note(chunk: WireChunk): string {
    this.usage = usageIn(chunk) ?? this.usage;
    const { delta, finish_reason: said } = chunk.choices?.[0] ?? {};
    if (Array.isArray(delta?.tool_calls)) this.calls.add(delta.tool_calls as readonly WireCall[]);
    if (typeof said === "string") this.finishReason = said === "length" || said === "content_filter" ? said : "stop";
    return typeof delta?.content === "string" ? delta.content : "";
  }

  *end(): Generator<ModelSign, void, void> {
    const { finishReason, usage, calls } = this;
    if (finishReason === null)
      throw new UpstreamFailure("broken", "The model's server ended the connection before the answer was whole.");
    if (calls.whole.length > 0) yield { kind: "toolCalls", calls: calls.whole };
    yield { kind: "end", finishReason, usage };
  }
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
