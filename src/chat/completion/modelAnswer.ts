import type { AnswerEvent, CompletionRequest, AnswerEnd } from "../chat.js";
import type { Agent } from "../../readModels/agents.js";
import type { ServedModel } from "../models/catalogue.js";
import type { Searches } from "../tools/searches.js";
import { Toolbox } from "../tools/toolbox.js";
import { shownFiles, type Attached } from "./attachments.js";
import { ContextWindow, estimateTokens, messageTokens, toolTokens } from "./contextWindow.js";
import { Fence, promptOf } from "./prompt.js";
import { SourceList } from "./citations.js";
import {
  UpstreamFailure,
  type ModelSign,
  type Usage,
  type ModelUpstream,
  type PromptMessage,
  type ToolCall,
} from "../ports/modelUpstream.js";

/** What a model of an upstream is asked. */
interface AskedOfModel {
  readonly request: CompletionRequest;
  readonly model: ServedModel;
  readonly agent: Agent | null;
  readonly searches: Searches;
  readonly attached: readonly Attached[];
  /** Why the searches hold none of the web, though one was asked for; null: they hold what was asked for. */
  readonly webClosedBecause: string | null;
}

/** An answer that is on its way, without what it is called. */
export interface Answering {
  readonly events: AsyncIterable<AnswerEvent>;
  /** How many messages were dropped so far. */
  droppedMessages(): number;
}

/** An answer of a model of an upstream, made as it is taken. */
export function modelAnswer(
  { request, model, agent, searches, attached, webClosedBecause }: AskedOfModel,
  signal: AbortSignal,
): Answering {
  const { turns, language, temperature } = request;
  const { upstream, id, takesImages, contextTokens } = model;
  const fence = new Fence();
  const sources = new SourceList();
  const webAfterInternal = agent?.webAfterInternal ?? false;
  const toolbox = new Toolbox({ searches, webAfterInternal, webClosedBecause, sources, fence });
  const messages = promptOf({
    ...{ turns, language, takesImages, fence, instructions: agent?.instructions ?? null },
    ...{ readsTexts: toolbox.offered.length > 0 || attached.length > 0 },
    attached: shownFiles(attached, sources, fence),
  });
  const window = new ContextWindow(messages, contextTokens);
  return {
    events: askModel({ upstream, model: id, temperature, window, toolbox, sources }, signal),
    droppedMessages: () => window.dropped,
  };
}

/** An answer that is longer than this is of a model that does not find its end. */
const longestText = 1_000_000;

/** How often a model is asked for one answer; the last time it may call no tool. */
export const mostRounds = 8;

interface Asked {
  readonly upstream: ModelUpstream;
  /** The model as its server calls it. */
  readonly model: string;
  readonly temperature: number | null;
  readonly window: ContextWindow;
  readonly toolbox: Toolbox;
  readonly sources: SourceList;
}

/** What one round brought besides its text, which has been handed on. */
interface Round {
  text: string;
  calls: readonly ToolCall[];
  finishReason: AnswerEnd["finishReason"];
  usage: Usage;
}

/** Asks a model, carries out the tools that it calls, and asks again, until it answers without calling any. */
async function* askModel(asked: Asked, signal: AbortSignal): AsyncGenerator<AnswerEvent, void, void> {
  const { window, toolbox, sources } = asked;
  const usage = { promptTokens: 0, completionTokens: 0 };
  let hasText = false;
  for (let number = 1; ; number++) {
    const isLast = number === mostRounds;
    const round: Round = { text: "", calls: [], finishReason: "stop", usage: { promptTokens: 0, completionTokens: 0 } };
    for await (const text of askOnce(asked, round, isLast, signal)) {
      yield { kind: "text", text: hasText && round.text === text ? `\n\n${text}` : text };
    }
    hasText ||= round.text !== "";
    usage.promptTokens += round.usage.promptTokens;
    usage.completionTokens += round.usage.completionTokens;
    if (round.calls.length === 0 || isLast) {
      if (!hasText && round.calls.length > 0) throw onlyCalls();
      const end = { finishReason: round.finishReason, usage, sources: sources.all, droppedMessages: window.dropped };
      yield { kind: "end", ...end };
      return;
    }
    yield { kind: "progress", note: noteOf(round.calls, toolbox) };
    const results = await toolbox.run(round.calls, signal);
    window.add({ role: "assistant", text: round.text, toolCalls: round.calls }, ...results);
  }
}

const onlyCalls = (): UpstreamFailure =>
  new UpstreamFailure("broken", "The model called tools again and again and gave no answer.");

/** Names alone: what a model wrote is no line of a comment. */
function noteOf(calls: readonly ToolCall[], { offered }: Toolbox): string {
  const known = new Set(offered.map(({ name }) => name));
  return `calls ${calls.map(({ name }) => (known.has(name) ? name : "a tool that is not there")).join(", ")}`;
}

/** Hands the text of one round on, and notes the rest of it. */
async function* askOnce(
  asked: Asked,
  round: Round,
  isLast: boolean,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  let told: Usage | null = null;
  for await (const sign of fittingSigns(asked, isLast, signal)) {
    if (sign.kind === "text") {
      round.text += sign.text;
      if (round.text.length > longestText) throw new UpstreamFailure("broken", "The model's answer finds no end.");
      yield sign.text;
    } else if (sign.kind === "toolCalls") round.calls = sign.calls;
    else {
      round.finishReason = sign.finishReason;
      told = sign.usage;
    }
  }
  round.usage = told ?? estimated(asked.window.messages, round.text);
}

const estimated = (messages: readonly PromptMessage[], text: string): Usage => ({
  promptTokens: messages.reduce((sum, message) => sum + messageTokens(message), 0),
  completionTokens: estimateTokens(text),
});

/** Asks with less and less where the model says that the conversation is too long. */
async function* fittingSigns(
  { upstream, model, temperature, window, toolbox }: Asked,
  isLast: boolean,
  signal: AbortSignal,
): AsyncGenerator<ModelSign, void, void> {
  const tools = isLast ? [] : toolbox.offered;
  for (;;) {
    window.fit(toolTokens(tools));
    let hasBegun = false;
    try {
      for await (const sign of upstream.ask({ model, messages: window.messages, tools, temperature }, signal)) {
        hasBegun = true;
        yield sign;
      }
      return;
    } catch (error) {
      const isTooLong = error instanceof UpstreamFailure && error.trouble === "contextOverflow";
      if (!isTooLong || hasBegun || !window.shrink()) throw error;
    }
  }
}
