/** A model as the server that runs it tells of it. */
export interface UpstreamModel {
  /** The name that the server uses. */
  readonly id: string;
  /** Epoch seconds; 0 where the server does not say. */
  readonly created: number;
  /** How many tokens a prompt and its answer may have together; null: the server does not say. */
  readonly contextTokens: number | null;
  /** False too where nobody says. */
  readonly takesImages: boolean;
}

/** A piece of what a person says. An image is a `data:` URL. */
export type PromptPart =
  { readonly kind: "text"; readonly text: string } | { readonly kind: "image"; readonly url: string };

/** A tool that the model wants to be run, as it wrote it: nothing of it has been checked. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, if the model wrote it well. */
  readonly arguments: string;
}

export type PromptMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly parts: readonly PromptPart[] }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly text: string };

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: object;
}

/** What a model is asked. */
export interface Prompt {
  /** The model as its server calls it. */
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  /** Empty: it may call none. */
  readonly tools: readonly ToolDefinition[];
  /** null: the server's own. */
  readonly temperature: number | null;
}

/** Tokens, as the model's server counts them. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * What comes of a model, in this order: text bit by bit, the tools that it calls, and its end. What it thinks is none
 * of it.
 */
export type ModelSign =
  | { readonly kind: "text"; readonly text: string }
  /** It says why it declines to answer. */
  | { readonly kind: "refusal"; readonly text: string }
  | { readonly kind: "toolCalls"; readonly calls: readonly ToolCall[] }
  | { readonly kind: "end"; readonly finishReason: "stop" | "length" | "content_filter"; readonly usage: Usage | null };

/** Why a model's server gave no answer, or not all of it. */
export type UpstreamTrouble =
  /** It cannot be reached, or says that it is busy. */
  | "unavailable"
  /** It was silent for too long. */
  | "silent"
  /** It takes no more questions of this service for now. */
  | "rateLimited"
  /** The prompt is longer than the model takes. */
  | "contextOverflow"
  /** The model can call no tools, or the server takes none. */
  | "toolsRefused"
  /** It answered what is no answer, or not to the end. */
  | "broken";

/** Thrown where a model's server fails. The message is a sentence for the person who asked; it holds no credential. */
export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";

  constructor(
    readonly trouble: UpstreamTrouble,
    message: string,
    /** The time to wait as the server sent it: seconds, or a date; null: it sent none. */
    readonly retryAfter: string | null = null,
  ) {
    super(message);
  }
}

/** A server that runs models. */
export interface ModelUpstream {
  /** What its models' ids begin with, before a slash; null: they stand alone. */
  readonly name: string | null;
  /** What it serves now. Throws {@link UpstreamFailure}. */
  list(signal: AbortSignal): Promise<readonly UpstreamModel[]>;
  /**
   * Asks a model. Nothing is read ahead of the caller. Ends at once where the signal aborts, rejecting with its reason.
   * Throws {@link UpstreamFailure}.
   */
  ask(prompt: Prompt, signal: AbortSignal): AsyncIterable<ModelSign>;
}
