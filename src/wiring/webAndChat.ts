import type { Logger } from "pino";
import type { Chat } from "../chat/chat.js";
import type { ChatParts } from "../chat/createChat.js";
import type { Config } from "../config.js";
import type { AsyncDisposableStack } from "../shared/asyncDisposableStack.js";
import type { WebSearch } from "../webSearch/webSearch.js";
import { openChatSide, searchesOfChat, type ChatSide } from "./chatSide.js";
import type { ReadSide } from "./readSide.js";
import { openWebSearch } from "./webSearch.js";
import type { WriteSide } from "./writeSide.js";

/** Each needs the other: chats search the web, and a model sums up what a search has found. */
export async function openWebAndChat(
  config: Config,
  logger: Logger,
  parts: AsyncDisposableStack,
  given: Pick<ChatParts, "agents" | "files"> & { readonly readSide: ReadSide; readonly writeSide: WriteSide },
): Promise<{ readonly webSearch: WebSearch; readonly searchesWeb: boolean; readonly chat: Chat }> {
  const { agents, files, readSide, writeSide } = given;
  const summarize: ChatSide["summarize"] = (...asked) => chatSide.summarize(...asked);
  const { webSearch, searchesWeb } = parts.adopt(openWebSearch(config, logger, summarize), (part) => part.close());
  const searches = searchesOfChat(readSide, writeSide, webSearch);
  const chatSide = parts.adopt(await openChatSide(config, { agents, files, searches }), (part) => part.close());
  return { webSearch, searchesWeb, chat: chatSide.chat };
}
