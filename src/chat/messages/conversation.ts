import type { tags } from "typia";
import { issue, missing, valueError, type Issue } from "../../http/validation/issue.js";
import type { ChatTurn } from "../chat.js";
import type { PromptPart, ToolCall } from "../ports/modelUpstream.js";

/** A piece of text. */
interface TextPartMessage {
  type: "text";
  text: string;
}

/** What a model has declined to do, in its words. */
interface RefusalPartMessage {
  type: "refusal";
  refusal: string;
}

/** An image, as a `data:` URL: nothing is loaded from elsewhere. */
interface ImagePartMessage {
  type: "image_url";
  image_url: {
    /** `data:image/png;base64,…`; PNG, JPEG, GIF or WebP. */
    url: string;
  };
}

type PartMessage = TextPartMessage | RefusalPartMessage | ImagePartMessage;

/** A call of a tool of the client's own, as its model once wrote it. */
interface ToolCallMessage {
  id?: string | null;
  /** Calls without it are passed over: they are of no function. */
  function?: {
    name: string;
    /** JSON. */
    arguments?: unknown;
  } | null;
}

/** A message of the conversation. */
export interface ConversationMessage {
  /** `developer` counts as `system`; `tool` is the answer of a tool of the client's own. */
  role: "system" | "developer" | "user" | "assistant" | "tool";
  /**
   * null or left out: it says nothing, as where an assistant called tools. The last message of the user has a content.
   */
  content?: string | PartMessage[] | null;
  /** What an assistant declined. */
  refusal?: string | null;
  /** What an assistant called. */
  tool_calls?: (ToolCallMessage[] & tags.MaxItems<128>) | null;
  /** The call that a tool answers. */
  tool_call_id?: string | null;
}

const imageUrl = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/** What is wrong with the messages of a conversation that have the right shape. */
export function conversationIssues(messages: readonly ConversationMessage[]): readonly Issue[] {
  const images = messages.flatMap(({ content, role }, at) =>
    Array.isArray(content) ? content.flatMap((part, index) => imageIssues(part, role, [at, index])) : [],
  );
  return [...questionIssues(messages), ...images];
}

/** Any other message may say nothing: there has to be something to answer. */
function questionIssues(messages: readonly ConversationMessage[]): readonly Issue[] {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const loc = ["body", "messages"];
  if (asked === -1) return [valueError(loc, "the conversation must hold a message of the user")];
  const content = messages[asked]?.content;
  if (content === undefined) return [missing([...loc, asked, "content"])];
  return content === null ? [issue([...loc, asked, "content"], "string_type", "Input should be a valid string")] : [];
}

function imageIssues(
  part: PartMessage,
  role: ConversationMessage["role"],
  [message, index]: readonly [number, number],
): readonly Issue[] {
  if (part.type !== "image_url") return [];
  const loc = ["body", "messages", message, "content", index];
  if (role !== "user") return [valueError(loc, "only messages of the user may hold images")];
  if (imageUrl.test(part.image_url.url)) return [];
  const clause = "the image must be a data: URL of PNG, JPEG, GIF or WebP in Base64; none is loaded from elsewhere";
  return [valueError([...loc, "image_url", "url"], clause)];
}

/** The turn that a message is; none where it says nothing. */
export function toTurn(message: ConversationMessage): readonly ChatTurn[] {
  const { role, tool_call_id: callId } = message;
  const parts = partsOf(message);
  if (role === "tool") return [{ role, callId: callId ?? "", parts }];
  const toolCalls = role === "assistant" ? (message.tool_calls ?? []).flatMap(toToolCall) : [];
  if (parts.length === 0 && toolCalls.length === 0) return [];
  if (role === "assistant") return [{ role, parts, toolCalls }];
  return [{ role: role === "developer" ? "system" : role, parts }];
}

function partsOf({ content, refusal }: ConversationMessage): readonly PromptPart[] {
  const said = typeof content === "string" ? [textPart(content)] : (content ?? []).map(toPart);
  return said.length === 0 && typeof refusal === "string" ? [textPart(refusal)] : said;
}

const textPart = (text: string): PromptPart => ({ kind: "text", text });

function toPart(part: PartMessage): PromptPart {
  if (part.type === "image_url") return { kind: "image", url: part.image_url.url };
  return textPart(part.type === "text" ? part.text : part.refusal);
}

function toToolCall({ id, function: called }: ToolCallMessage): readonly ToolCall[] {
  if (called === undefined || called === null) return [];
  return [{ id: id ?? "", name: called.name, arguments: jsonOf(called.arguments) }];
}

/** Some servers refuse a conversation in which arguments are no JSON object. */
function jsonOf(given: unknown): string {
  if (typeof given !== "string") return JSON.stringify(isObject(given) ? given : {});
  if (isObject(parsed(given))) return given;
  return JSON.stringify(given === "" ? {} : { text: given });
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
