import type { PromptMessage, ToolDefinition } from "../ports/modelUpstream.js";

/** Tokens are estimated, so that not all of a window is used. */
const usedShare = 0.9;

/** What is left of a window for the answer: so many tokens, or a quarter of a small window. */
const answerTokens = 2_048;

const answerShare = 0.25;

/** Takes the place of a text that was left out. */
const leftOut = "(Left out: the conversation is longer than the model takes.)";

/**
 * The messages of a prompt, as many as fit. The oldest turns are dropped first, then the texts of the oldest tool
 * results are; system texts and the last question stay.
 */
export class ContextWindow {
  /** How many messages of the conversation have been dropped. */
  dropped = 0;
  private readonly held: PromptMessage[];
  /** Each is estimated once, however many turns are dropped one by one. */
  private readonly estimates = new WeakMap<PromptMessage, number>();
  /** Where the last question is among them. */
  private question: number;

  /** `contextTokens` of null: nobody knows how much fits. */
  constructor(
    messages: readonly PromptMessage[],
    private readonly contextTokens: number | null,
  ) {
    this.held = [...messages];
    this.question = messages.findLastIndex(({ role }) => role === "user");
  }

  get messages(): readonly PromptMessage[] {
    return this.held;
  }

  add(...messages: readonly PromptMessage[]): void {
    this.held.push(...messages);
  }

  /** Drops what does not fit beside `besides` tokens. What cannot be dropped stays, however much it is. */
  fit(besides: number): void {
    if (this.contextTokens === null) return;
    const reserved = Math.min(answerTokens, this.contextTokens * answerShare);
    const most = this.contextTokens * usedShare - reserved - besides;
    while (this.tokens > most && (this.dropOldestTurn() || this.emptyOldestResult())) continue;
  }

  /** Drops half of the turns that may go, or of the tool results; false where nothing is left to be dropped. */
  shrink(): boolean {
    const turns = this.held.slice(0, this.question).filter(({ role }) => role !== "system").length;
    const target = this.dropped + Math.ceil(turns / 2);
    let hasShrunk = false;
    while (this.dropped < target && this.dropOldestTurn()) hasShrunk = true;
    if (hasShrunk) return true;
    const results = this.held.filter(isFullResult).length;
    for (let emptied = 0; emptied < Math.ceil(results / 2); emptied++) hasShrunk = this.emptyOldestResult();
    return hasShrunk;
  }

  private get tokens(): number {
    return this.held.reduce((sum, message) => sum + this.estimated(message), 0);
  }

  private estimated(message: PromptMessage): number {
    const known = this.estimates.get(message) ?? messageTokens(message);
    this.estimates.set(message, known);
    return known;
  }

  /** A turn goes with the answers that follow it, of the model and of tools: no conversation begins with one. */
  private dropOldestTurn(): boolean {
    const oldest = this.held.findIndex(({ role }, at) => at < this.question && role !== "system");
    if (oldest === -1) return false;
    do {
      this.held.splice(oldest, 1);
      this.question--;
      this.dropped++;
    } while (isAnswer(this.held[oldest]) && oldest < this.question);
    return true;
  }

  private emptyOldestResult(): boolean {
    const at = this.held.findIndex(isFullResult);
    const result = this.held[at];
    if (result?.role !== "tool") return false;
    this.held[at] = { ...result, text: leftOut };
    return true;
  }
}

const isAnswer = (message: PromptMessage | undefined): boolean =>
  message?.role === "assistant" || message?.role === "tool";

const isFullResult = (message: PromptMessage): boolean => message.role === "tool" && message.text !== leftOut;

/**
 * Some four characters of German and English stand for a token; fewer of numbers and names. So the estimate is rather
 * high.
 */
const charactersPerToken = 3;

const tokensPerMessage = 4;
/** What models charge for an image of the size that they scale it to. */
const tokensPerImage = 1_000;

/** About how many tokens a text is. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / charactersPerToken);

/** About how many characters of text so many tokens are. */
export const charactersOf = (tokens: number): number => Math.floor(tokens * charactersPerToken);

/** About how many tokens a message of a prompt is. */
export function messageTokens(message: PromptMessage): number {
  if (message.role === "user")
    return message.parts.reduce(
      (sum, part) => sum + (part.kind === "text" ? estimateTokens(part.text) : tokensPerImage),
      tokensPerMessage,
    );
  const calls = message.role === "assistant" ? message.toolCalls : [];
  return calls.reduce(
    (sum, call) => sum + estimateTokens(call.name + call.arguments),
    tokensPerMessage + estimateTokens(message.text),
  );
}

/** About how many tokens it takes to tell a model of its tools. */
export const toolTokens = (tools: readonly ToolDefinition[]): number =>
  tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
