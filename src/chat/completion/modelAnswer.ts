import type { AnswerEvent, CompletionRequest, AnswerEnd } from "../chat.js";
import type { Agent } from "../../readModels/agents.js";
import type { ToolName } from "../../events/agent.js";
import type { ServedModel } from "../models/catalogue.js";
import type { ModelsWithoutTools } from "../models/modelsWithoutTools.js";
import type { Searches } from "../tools/searches.js";
import { Toolbox } from "../tools/toolbox.js";
import { shownFiles, type Attached } from "./attachments.js";
import { ContextWindow, estimateTokens, messageTokens, toolTokens } from "./contextWindow.js";
import { cannotSearch, Fence, promptOf } from "./prompt.js";
import { SourceList } from "./citations.js";
import { acceptedMessages, isOfTools } from "./toolTurns.js";
import {
  UpstreamFailure,
  type ModelSign,
  type Prompt,
  type Usage,
  type PromptMessage,
  type ToolCall,
  type ToolDefinition,
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
  /** Learns of the model if it takes no tools. */
  readonly withoutTools: ModelsWithoutTools;
}

/** An answer that is on its way, without what it is called. */
export interface Answering {
  readonly events: AsyncIterable<AnswerEvent>;
  /** How many messages were dropped so far. */
  droppedMessages(): number;
  /** The tools that the model was not offered so far, though they were wanted. */
  toolsLeftOut(): readonly ToolName[];
}

/** An answer of a model of an upstream, made as it is taken. */
export function modelAnswer(
  { request, model, agent, searches, attached, webClosedBecause, withoutTools }: AskedOfModel,
  signal: AbortSignal,
): Answering {
  const { turns, language, temperature } = request;
  const { takesImages, contextTokens } = model;
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
  const offer = new ToolOffer(model.publicId, toolbox, withoutTools);
  return {
    events: askModel({ model, temperature, window, toolbox, offer, sources, fence }, signal),
    droppedMessages: () => window.dropped,
    toolsLeftOut: () => offer.leftOut,
  };
}

/** An answer that is longer than this is of a model that does not find its end. */
const longestText = 1_000_000;

/** How often a model is asked for one answer; the last time it may call no tool. */
export const mostRounds = 8;

interface Asked {
  readonly model: ServedModel;
  readonly temperature: number | null;
  readonly window: ContextWindow;
  readonly toolbox: Toolbox;
  readonly offer: ToolOffer;
  readonly sources: SourceList;
  readonly fence: Fence;
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
  const { window, toolbox, offer, sources } = asked;
  const usage = { promptTokens: 0, completionTokens: 0 };
  let hasText = false;
  for (let number = 1; ; number++) {
    const isLast = number === mostRounds;
    const round: Round = { text: "", calls: [], finishReason: "stop", usage: { promptTokens: 0, completionTokens: 0 } };
    for await (const { kind, text } of askOnce(asked, round, isLast, signal)) {
      yield { kind, text: hasText && round.text === text ? `\n\n${text}` : text };
    }
    hasText ||= round.text !== "";
    usage.promptTokens += round.usage.promptTokens;
    usage.completionTokens += round.usage.completionTokens;
    if (round.calls.length === 0 || isLast) {
      if (!hasText && round.calls.length > 0) throw onlyCalls();
      const told = { droppedMessages: window.dropped, toolsLeftOut: offer.leftOut };
      yield { kind: "end", finishReason: round.finishReason, usage, sources: sources.all, ...told };
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

type Words = Extract<ModelSign, { readonly kind: "text" | "refusal" }>;

/** Hands the text of one round on, and notes the rest of it. */
async function* askOnce(
  asked: Asked,
  round: Round,
  isLast: boolean,
  signal: AbortSignal,
): AsyncGenerator<Words, void, void> {
  let told: Usage | null = null;
  for await (const sign of acceptedSigns(asked, isLast, signal)) {
    if (sign.kind === "text" || sign.kind === "refusal") {
      round.text += sign.text;
      if (round.text.length > longestText) throw new UpstreamFailure("broken", "The model's answer finds no end.");
      yield sign;
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

/** Asks with less where the model says that the conversation is too long, and without tools where it takes none. */
async function* acceptedSigns(
  asked: Asked,
  isLast: boolean,
  signal: AbortSignal,
): AsyncGenerator<ModelSign, void, void> {
  const { window, offer } = asked;
  for (;;) {
    const tools = isLast ? [] : offer.tools;
    window.fit(toolTokens(tools));
    let hasBegun = false;
    try {
      for await (const sign of asked.model.upstream.ask(promptFor(asked, tools), signal)) {
        hasBegun = true;
        yield sign;
      }
      return;
    } catch (error) {
      if (hasBegun || !(error instanceof UpstreamFailure) || !canMend(error, asked)) throw error;
    }
  }
}

function promptFor({ model, temperature, window, offer, fence }: Asked, tools: Prompt["tools"]): Prompt {
  const messages = acceptedMessages(window.messages, fence, offer.takesTools);
  const told = offer.leftOut.length === 0 ? messages : messages.map(withoutSearches);
  return { model: model.id, messages: told, tools, temperature };
}

/** A prompt begins with a system text of the service's own. */
const withoutSearches = (message: PromptMessage, at: number): PromptMessage =>
  at === 0 && message.role === "system" ? { ...message, text: `${message.text}\n\n${cannotSearch}` } : message;

/** Whether the next try asks with less than the one that failed so. */
function canMend({ trouble }: UpstreamFailure, { window, offer }: Asked): boolean {
  if (trouble === "contextOverflow") return window.shrink();
  return trouble === "toolsRefused" && offer.withdraw(window.messages.some(isOfTools));
}

/** Which tools a model is offered in one answer: those of the toolbox, until its server says that it takes none. */
class ToolOffer {
  /** The tools that were wanted, and are not offered. */
  leftOut: readonly ToolName[] = [];
  /** Whether messages may call tools, or answer calls. */
  takesTools = true;

  constructor(
    private readonly model: string,
    private readonly toolbox: Toolbox,
    private readonly withoutTools: ModelsWithoutTools,
  ) {
    if (withoutTools.has(model)) this.close();
  }

  get tools(): readonly ToolDefinition[] {
    return this.takesTools ? this.toolbox.offered : [];
  }

  /** Offers none from here on; false where none was offered, and no message was of tools. */
  withdraw(hasMessagesOfTools: boolean): boolean {
    const isOffered = this.tools.length > 0;
    if (!this.takesTools || !(isOffered || hasMessagesOfTools)) return false;
    // A server that takes no calls of tools in messages may still take tools.
    if (isOffered) this.withoutTools.add(this.model);
    this.close();
    return true;
  }

  private close(): void {
    this.leftOut = this.toolbox.names;
    this.takesTools = false;
  }
}
