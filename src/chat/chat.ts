import type { CommandContext } from "../../commands/commands.js";
import type { ToolName } from "../events/agent.js";
import type { AgentId, Email, FileId } from "../shared/ids.js";
import type { Position } from "../shared/position.js";
import type { WebSearchMode } from "../webSearch/webSearch.js";
import type { PromptPart, ToolCall, Usage } from "./ports/modelUpstream.js";

/** The language of an answer to a question that is too short to show one. */
export const languages = ["de", "en"] as const;

export type AnswerLanguage = (typeof languages)[number];

/** A model as clients are told of it (spec: Model record). */
export interface ModelRecord {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number;
  /** What people choose an agent by. */
  readonly name?: string;
}

/** A turn of the conversation so far. Calls of tools, and their answers, are of tools of the client's own. */
export type ChatTurn =
  | { readonly role: "system" | "user"; readonly parts: readonly PromptPart[] }
  | { readonly role: "assistant"; readonly parts: readonly PromptPart[]; readonly toolCalls: readonly ToolCall[] }
  /** The id is empty where nobody says which call it answers. */
  | { readonly role: "tool"; readonly callId: string; readonly parts: readonly PromptPart[] };

/** What somebody asks. */
export interface CompletionRequest {
  readonly person: Email;
  /** null: the one that is used where none is named. */
  readonly model: string | null;
  /** At least one of them is the user's. */
  readonly turns: readonly ChatTurn[];
  readonly tools: readonly ToolName[];
  readonly agentId: AgentId | null;
  /** Distinct. */
  readonly files: readonly FileId[];
  /** null: the tenant's default. */
  readonly webSearchMode: WebSearchMode | null;
  readonly language: AnswerLanguage;
  readonly temperature: number | null;
  /** Documents are searched as of this position or later; null: as they are served. */
  readonly atLeast: Position | null;
  /** `https://host`, as the caller reached the service; begins the addresses of documents and files. */
  readonly origin: string;
  /** On whose behalf is recorded what leaves the service. */
  readonly context: CommandContext;
}

/** What an answer rests on, as the person is told of it. Its number in the text is its place in the list, from 1. */
export interface Source {
  /** `{datasource}__{document}` of a document, the id of a file; null for a web page. */
  readonly id: string | null;
  /** Absolute; never empty. */
  readonly url: string;
  readonly title: string;
  /** Plain text. */
  readonly snippet: string;
  /** ISO instant; null: unknown. */
  readonly date: string | null;
}

/** The end of an answer. */
export interface AnswerEnd {
  readonly finishReason: "stop" | "length" | "content_filter";
  /** The usage of all rounds; estimated where the model's server does not say. */
  readonly usage: Usage;
  /** Everything that the model was shown, in the order of its numbers. */
  readonly sources: readonly Source[];
  /** How many messages of the conversation the model was not shown, because they did not fit. */
  readonly droppedMessages: number;
  /** The tools that were wanted, and that the model was not offered since it takes none. */
  readonly toolsLeftOut: readonly ToolName[];
}

/** What comes of a question, in order; `end` is the last. */
export type AnswerEvent =
  | { readonly kind: "text"; readonly text: string }
  /** A part of the answer like a text: the model says why it declines. */
  | { readonly kind: "refusal"; readonly text: string }
  /** What is done meanwhile, for people; one line. */
  | { readonly kind: "progress"; readonly note: string }
  | ({ readonly kind: "end" } & AnswerEnd);

/** An answer that is on its way. */
export interface Answer {
  /** `chatcmpl-…` */
  readonly id: string;
  /** The model as clients name it. */
  readonly model: string;
  /** Epoch seconds. */
  readonly created: number;
  /** Made as it is taken. Throws a `ChatFailure`, or what a search threw; ends at once where the signal aborts. */
  readonly events: AsyncIterable<AnswerEvent>;
  /** How many messages were dropped so far. */
  droppedMessages(): number;
  /** The tools that the model was not offered so far. */
  toolsLeftOut(): readonly ToolName[];
}

/** Models, and answers of theirs with tools that run here. */
export interface Chat {
  /** What this person may ask. */
  models(person: Email): Promise<readonly ModelRecord[]>;
  /** null: there is none of this name for this person. */
  findModel(person: Email, id: string): Promise<ModelRecord | null>;
  /** Rejects with a `ChatFailure` where model, agent or file are unknown to the person. */
  answer(request: CompletionRequest, signal: AbortSignal): Promise<Answer>;
}

/** Thrown where a chat cannot be answered as it was asked, or not to its end. The message is a sentence for people. */
export class ChatFailure extends Error {
  override readonly name = "ChatFailure";

  constructor(
    readonly failure: {
      readonly status: 400 | 404 | 409 | 422 | 429 | 502 | 503 | 504;
      readonly message: string;
      /** What programs know it by. */
      readonly code: string;
      /** The key of the request that it is about; null: none. */
      readonly param?: string;
      /** Seconds, or a date. */
      readonly retryAfter?: string;
    },
  ) {
    super(failure.message);
  }
}

export const modelNotFound = (id: string): ChatFailure =>
  new ChatFailure({
    ...{ status: 404, code: "model_not_found", param: "model" },
    message: `There is no model with the id ${JSON.stringify(id)}. GET /api/beta/amberai/models lists those that there are.`,
  });

/** A text that an answer may rest on: a passage of a document, what a web search brought, or what a file says. */
export interface Evidence {
  readonly kind: "document" | "web" | "file";
  /** `{datasource}__{document}` of a document, the id of a file; null for a web page. */
  readonly id: string | null;
  /** null: nobody says where it lies. */
  readonly url: string | null;
  readonly title: string;
  readonly text: string;
  /** ISO instant or date; null: unknown. */
  readonly date: string | null;
}
