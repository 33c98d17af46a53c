import type { PromptMessage, ToolDefinition } from "../ports/modelUpstream.js";

/** Of German and English some four stand for a token; fewer of numbers and names. Rather too many tokens than too few. */
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
