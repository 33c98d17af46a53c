import { createAssert, createValidate, json, type tags } from "typia";
import { toAgentId, toFileId } from "../../shared/ids.js";
import { boundedValidation, wrongShape, bodyMessage, answerMessage } from "../../http/validation/message.js";
import { issue, notInEnum, valueError, type Issue } from "../../http/validation/issue.js";
import { toolNames, type ToolName } from "../../events/agent.js";
import { webSearchModes } from "../../webSearch/webSearch.js";
import { languages, type ChatTurn, type CompletionRequest, type Answer, type AnswerEnd, type Source } from "../chat.js";
import type { PromptPart } from "../ports/modelUpstream.js";
import type { Citations } from "../completion/citations.js";

/** A piece of text. */
interface TextPartMessage {
  type: "text";
  text: string;
}

/** An image, as a `data:` URL: nothing is loaded from elsewhere. */
interface ImagePartMessage {
  type: "image_url";
  image_url: {
    /** `data:image/png;base64,…`; PNG, JPEG, GIF or WebP. */
    url: string;
  };
}

/** A message of the conversation. */
interface ConversationMessage {
  /** `developer` counts as `system`. */
  role: "system" | "developer" | "user" | "assistant";
  /** null, of an assistant alone: it said nothing, as where it called tools. */
  content: string | (TextPartMessage | ImagePartMessage)[] | null;
}

/** A tool that the model may use; with `type: "function"` or without. */
interface ChatToolMessage {
  type?: "function" | null;
  function: {
    name: ToolName;
  };
}

/** What goes beyond the compatible API. */
interface ChatMetadataMessage {
  /** The agent that answers. */
  agent_id?: (string & tags.MaxLength<200>) | null;
  /** Ids of uploaded files of one's own. */
  files?: ((string & tags.MaxLength<64>)[] & tags.MaxItems<20>) | null;
  /**
   * `search`, `context` or `thirdparty`; left out or empty: the tenant's default. Without the tool `webSearch` it is
   * not looked at.
   */
  web_search_mode?: (string & tags.JsonSchemaPlugin<{ enum: ["", "search", "context", "thirdparty"] }>) | null;
  /**
   * A BCP 47 tag such as `de-AT`: the language of answers to questions that are too short to show one. Known are `de`
   * and `en`. Left out, and of other languages: `de`.
   */
  language?: (string & tags.MaxLength<255>) | null;
}

/** Body of `POST /chat/completions`. Other keys are ignored. */
interface CompletionMessage {
  messages: ConversationMessage[] & tags.MinItems<1> & tags.MaxItems<2000>;
  /** The model as the list of models names it. Left out: `LLM_DEFAULT_MODEL`, or the extractive model. */
  model?: (string & tags.MinLength<1> & tags.MaxLength<500>) | null;
  stream?: boolean | null;
  stream_options?: { include_usage?: boolean | null } | null;
  temperature?: (number & tags.Minimum<0> & tags.Maximum<2>) | null;
  tools?: (ChatToolMessage[] & tags.MaxItems<20>) | null;
  metadata?: ChatMetadataMessage | null;
}

export const completionMessage = bodyMessage(
  json.schema<CompletionMessage>(),
  boundedValidation(createValidate<CompletionMessage>(), createAssert<CompletionMessage>(wrongShape)),
  rulesOf,
);

const imageUrl = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

function rulesOf({ messages, tools, metadata }: CompletionMessage): readonly Issue[] {
  const silent = messages.flatMap(({ content, role }, at) =>
    content === null && role !== "assistant"
      ? [issue(["body", "messages", at, "content"], "string_type", "Input should be a valid string")]
      : [],
  );
  const images = messages.flatMap(({ content, role }, at) =>
    Array.isArray(content) ? content.flatMap((part, index) => imageIssues(part, role, [at, index])) : [],
  );
  const unasked = messages.some(({ role }) => role === "user")
    ? []
    : [valueError(["body", "messages"], "the conversation must hold a message of the user")];
  const searchesWeb = (tools ?? []).some(({ function: { name } }) => name === "webSearch");
  return [...silent, ...images, ...unasked, ...metadataIssues(metadata ?? {}, searchesWeb)];
}

function imageIssues(
  part: TextPartMessage | ImagePartMessage,
  role: ConversationMessage["role"],
  [message, index]: readonly [number, number],
): readonly Issue[] {
  if (part.type === "text") return [];
  const loc = ["body", "messages", message, "content", index];
  if (role !== "user") return [valueError(loc, "only messages of the user may hold images")];
  if (imageUrl.test(part.image_url.url)) return [];
  const clause = "the image must be a data: URL of PNG, JPEG, GIF or WebP in Base64; none is loaded from elsewhere";
  return [valueError([...loc, "image_url", "url"], clause)];
}

function metadataIssues(
  { web_search_mode: mode, language }: ChatMetadataMessage,
  searchesWeb: boolean,
): readonly Issue[] {
  const loc = ["body", "metadata"];
  const isModeKnown = !searchesWeb || isLeftOut(mode) || isOneOf(webSearchModes, mode);
  return [
    ...(isModeKnown ? [] : [notInEnum([...loc, "web_search_mode"], webSearchModes)]),
    ...(isLeftOut(language) || primaryLanguageOf(language) !== null
      ? []
      : [valueError([...loc, "language"], "a language is a BCP 47 tag, such as de or en-GB")]),
  ];
}

/** Well-formed by RFC 5646, which `Intl.Locale` is not for tags such as `zh-yue` and `i-klingon`. */
const languageTag = /^([a-z]{2,8}|[ix](?=-))(?:-[a-z0-9]{1,8})*$/i;

/** `de` of `de-AT`; null: it is no tag of a language. */
const primaryLanguageOf = (tag: string): string | null => languageTag.exec(tag)?.[1]?.toLowerCase() ?? null;

const isLeftOut = (value: string | null | undefined): value is "" | null | undefined => (value ?? "") === "";
const isOneOf = <Word extends string>(words: readonly Word[], value: string): value is Word =>
  (words as readonly string[]).includes(value);

const oneOf = <Word extends string>(words: readonly Word[], value: string | null | undefined): Word | null =>
  words.find((word) => word === value) ?? null;

/** What a checked body asks, without what only the request itself tells. */
export function toCompletionRequest({
  messages,
  model,
  temperature,
  tools,
  metadata,
}: CompletionMessage): Omit<CompletionRequest, "person" | "origin" | "context" | "atLeast"> {
  const { agent_id: agentId, files, web_search_mode: mode, language } = metadata ?? {};
  const wanted = new Set((tools ?? []).map(({ function: { name } }) => name));
  return {
    model: model ?? null,
    turns: messages.flatMap(toTurn),
    tools: toolNames.filter((name) => wanted.has(name)),
    agentId: isLeftOut(agentId) ? null : toAgentId(agentId),
    files: [...new Set(files)].map(toFileId),
    webSearchMode: oneOf(webSearchModes, mode),
    language: oneOf(languages, isLeftOut(language) ? null : primaryLanguageOf(language)) ?? "de",
    temperature: temperature ?? null,
  };
}

function toTurn({ role, content }: ConversationMessage): readonly ChatTurn[] {
  if (content === null) return [];
  const parts: PromptPart[] = typeof content === "string" ? [{ kind: "text", text: content }] : content.map(toPart);
  return [{ role: role === "developer" ? "system" : role, parts }];
}

const toPart = (part: TextPartMessage | ImagePartMessage): PromptPart =>
  part.type === "text" ? { kind: "text", text: part.text } : { kind: "image", url: part.image_url.url };

type Count = number & tags.Type<"int64">;

/** What an answer rests on; `[1]` in the text is the first of them. */
interface SourceAnswer {
  /** The id of a document or a file; a web page has none. */
  id?: string;
  url: string;
  title: string;
  snippet: string;
}

/** The same as other programs read it. */
interface SearchResultItem {
  title: string;
  url: string;
  snippet: string;
  date: string | null;
}

/** Where a source is cited in the text: UTF-16 units, the end excluded. */
interface AnnotationAnswer {
  type: "url_citation";
  url_citation: { url: string; title: string; start_index: Count; end_index: Count };
}

interface UsageAnswer {
  prompt_tokens: Count;
  completion_tokens: Count;
  total_tokens: Count;
}

interface AnsweredMessage {
  role: "assistant";
  content: string;
  refusal: null;
  annotations: AnnotationAnswer[];
  sources: SourceAnswer[];
}

interface CompletionChoice {
  index: Count;
  message: AnsweredMessage;
  logprobs: null;
  finish_reason: "stop" | "length" | "content_filter";
}

/** Which part of the conversation the model was not shown. */
interface ContextTruncated {
  dropped_messages: Count;
}

/** Answer of `POST /chat/completions`. */
interface CompletionAnswer {
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
