import { json, type tags } from "typia";
import { answerMessage } from "../../http/validation/message.js";
import type { Answer, AnswerEnd, Source } from "../chat.js";
import type { Citations } from "../completion/citations.js";

type Count = number & tags.Type<"int64">;

/** What an answer rests on; `[1]` in the text is the first of them. */
export interface SourceAnswer {
  /** Of a document or a file; a web page has none. */
  id?: string;
  url: string;
  title: string;
  snippet: string;
}

/** The same as other programs read it. */
export interface SearchResultItem {
  title: string;
  url: string;
  snippet: string;
  date: string | null;
}

/** Where a source is cited in the text: UTF-16 units, the end excluded. */
export interface AnnotationAnswer {
  type: "url_citation";
  url_citation: { url: string; title: string; start_index: Count; end_index: Count };
}

export interface UsageAnswer {
  prompt_tokens: Count;
  completion_tokens: Count;
  total_tokens: Count;
}

export interface AnsweredMessage {
  role: "assistant";
  content: string;
  refusal: null;
  annotations: AnnotationAnswer[];
  sources: SourceAnswer[];
}

export interface CompletionChoice {
  index: Count;
  message: AnsweredMessage;
  logprobs: null;
  finish_reason: "stop" | "length" | "content_filter";
}

/** Which part of the conversation the model was not shown. */
export interface ContextTruncated {
  dropped_messages: Count;
}

/** Answer of `POST /chat/completions`. */
export interface CompletionAnswer {
  id: string;
  object: "chat.completion";
  created: Count;
  model: string;
  choices: CompletionChoice[];
  usage: UsageAnswer;
  sources: SourceAnswer[];
  /** The addresses of the sources. */
  citations: string[];
  search_results: SearchResultItem[];
  /** Only where the conversation was longer than the model takes. */
  context_truncated?: ContextTruncated;
}

export const completionAnswer = answerMessage(json.schema<CompletionAnswer>());

const toSource = ({ id, url, title, snippet }: Source): SourceAnswer => ({
  ...(id !== null && { id }),
  ...{ url, title, snippet },
});

/** What an answer and the last chunk of a stream say besides the text. */
export const besidesText = ({
  sources,
  droppedMessages,
}: Pick<AnswerEnd, "sources" | "droppedMessages">): Pick<
  CompletionAnswer,
  "sources" | "citations" | "search_results" | "context_truncated"
> => ({
  sources: sources.map(toSource),
  citations: sources.map(({ url }) => url),
  search_results: sources.map(({ title, url, snippet, date }) => ({ title, url, snippet, date })),
  ...(droppedMessages > 0 && { context_truncated: { dropped_messages: droppedMessages } }),
});

/** The citations in a text, as clients read them. */
export const toAnnotations = (citations: Citations, sources: readonly Source[]): AnnotationAnswer[] =>
  citations.of(sources).map(({ source: { url, title }, start, end }) => ({
    type: "url_citation",
    url_citation: { url, title, start_index: start, end_index: end },
  }));

export const toUsage = ({ promptTokens, completionTokens }: AnswerEnd["usage"]): UsageAnswer => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

/** A whole answer. */
export function toCompletionAnswer(
  { id, created, model }: Pick<Answer, "id" | "created" | "model">,
  content: string,
  end: AnswerEnd,
  citations: Citations,
): CompletionAnswer {
  const { sources, ...rest } = besidesText(end);
  const annotations = toAnnotations(citations, end.sources);
  const message: AnsweredMessage = { role: "assistant", content, refusal: null, annotations, sources };
  return {
    ...{ id, object: "chat.completion", created, model },
    choices: [{ index: 0, message, logprobs: null, finish_reason: end.finishReason }],
    usage: toUsage(end.usage),
    sources,
    ...rest,
  };
}
