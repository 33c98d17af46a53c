import { createAssert, createValidate, json, type tags } from "typia";
import { toAgentId, toFileId } from "../../shared/ids.js";
import { boundedValidation, wrongShape, bodyMessage, answerMessage } from "../../http/validation/message.js";
import { issuesOfEach, missing, notInEnum, valueError, type Issue } from "../../http/validation/issue.js";
import { toolNames, type ToolName } from "../../events/agent.js";
import { webSearchModes } from "../../webSearch/webSearch.js";
import { languages, type CompletionRequest, type Answer, type AnswerEnd, type Source } from "../chat.js";
import type { Citations } from "../completion/citations.js";
import { conversationIssues, toTurn, type ConversationMessage } from "./conversation.js";

/** A tool that the model may use; with `type: "function"` or without. */
interface ChatToolMessage {
  type?: (string & tags.JsonSchemaPlugin<{ enum: ["function"] }>) | null;
  /** It has to be there, but with `tool_choice: "none"`. */
  function?: {
    name: string & tags.JsonSchemaPlugin<{ enum: ["internalSearch", "webSearch"] }>;
  } | null;
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
  tools?: (ChatToolMessage[] & tags.MaxItems<128>) | null;
  /** `none`: no tool of the list is used, and there may be any in it. Other choices are not looked at. */
  tool_choice?: unknown;
  metadata?: ChatMetadataMessage | null;
}

export const completionMessage = bodyMessage(
  json.schema<CompletionMessage>(),
  boundedValidation(createValidate<CompletionMessage>(), createAssert<CompletionMessage>(wrongShape)),
  rulesOf,
);

function rulesOf({ messages, tools, tool_choice: choice, metadata }: CompletionMessage): readonly Issue[] {
  const usable = choice === "none" ? [] : (tools ?? []);
  const searchesWeb = usable.some((tool) => tool.function?.name === "webSearch");
  const issues = [...conversationIssues(messages), ...issuesOfEach(usable, toolIssues)];
  return [...issues, ...metadataIssues(metadata ?? {}, searchesWeb)];
}

function toolIssues({ type, function: called }: ChatToolMessage, at: number): readonly Issue[] {
  const loc = ["body", "tools", at];
  if (typeof type === "string" && type !== "function") return [notInEnum([...loc, "type"], ["function"])];
  if (called === undefined || called === null) return [missing([...loc, "function"])];
  return isOneOf(toolNames, called.name) ? [] : [notInEnum([...loc, "function", "name"], toolNames)];
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
  tool_choice: choice,
  metadata,
}: CompletionMessage): Omit<CompletionRequest, "person" | "origin" | "context" | "atLeast"> {
  const { agent_id: agentId, files, web_search_mode: mode, language } = metadata ?? {};
  const wanted = new Set(choice === "none" ? [] : (tools ?? []).map((tool) => tool.function?.name));
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
  /** What of the content declines to answer; null: nothing does. */
  refusal: string | null;
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

/** Which tools the model was not offered, because it takes none. */
interface ToolsLeftOut {
  tools: ToolName[];
  /** A sentence for people. */
  message: string;
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
  /** Only where tools were asked for, and the model takes none. */
  tools_left_out?: ToolsLeftOut;
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
  toolsLeftOut,
}: Pick<AnswerEnd, "sources" | "droppedMessages" | "toolsLeftOut">): Pick<
  CompletionAnswer,
  "sources" | "citations" | "search_results" | "context_truncated" | "tools_left_out"
> => ({
  sources: sources.map(toSource),
  citations: sources.map(({ url }) => url),
  search_results: sources.map(({ title, url, snippet, date }) => ({ title, url, snippet, date })),
  ...(droppedMessages > 0 && { context_truncated: { dropped_messages: droppedMessages } }),
  ...(toolsLeftOut.length > 0 && { tools_left_out: { tools: [...toolsLeftOut], message: leftOut } }),
});

const leftOut =
  "The model takes no tools, so that it has searched nothing. Ask another model if the answer has to rest on a search.";

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

/** The words of a whole answer. */
interface SaidWhole {
  readonly content: string;
  readonly refusal: string | null;
}

/** A whole answer. */
export function toCompletionAnswer(
  { id, created, model }: Pick<Answer, "id" | "created" | "model">,
  { content, refusal }: SaidWhole,
  end: AnswerEnd,
  citations: Citations,
): CompletionAnswer {
  const { sources, ...rest } = besidesText(end);
  const annotations = toAnnotations(citations, end.sources);
  const message: AnsweredMessage = { role: "assistant", content, refusal, annotations, sources };
  return {
    ...{ id, object: "chat.completion", created, model },
    choices: [{ index: 0, message, logprobs: null, finish_reason: end.finishReason }],
    usage: toUsage(end.usage),
    sources,
    ...rest,
  };
}
