import type { Prompt, PromptMessage, PromptPart, Usage } from "../../chat/ports/modelUpstream.js";

/** A chunk of a streamed completion, as far as it is read. Nothing of it is sure to be as it should. */
export interface WireChunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: unknown;
      readonly tool_calls?: readonly {
        readonly index?: unknown;
        readonly id?: unknown;
        readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
      }[];
    } | null;
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
export function usageIn({ usage }: WireChunk): Usage | null {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {};
  return typeof promptTokens === "number" && typeof completionTokens === "number"
    ? { promptTokens, completionTokens }
    : null;
}
