import type { AnswerEvent, CompletionRequest } from "../chat.js";
import type { Agent } from "../../readModels/agents.js";
import type { ServedModel } from "../models/catalogue.js";
import type { Searches } from "../tools/searches.js";
import { Toolbox } from "../tools/toolbox.js";
import { askModel } from "./askModel.js";
import { shownFiles, type Attached } from "./attachments.js";
import { ContextWindow } from "./contextWindow.js";
import { Fence, promptOf } from "./prompt.js";
import { SourceList } from "./citations.js";

/** What a model of an upstream is asked. */
interface AskedOfModel {
  readonly request: CompletionRequest;
  readonly model: ServedModel;
  readonly agent: Agent | null;
  readonly searches: Searches;
  readonly attached: readonly Attached[];
  /** Why the searches hold none of the web, though one was asked for; null: they hold what was asked for. */
  readonly webClosedBecause: string | null;
}

/** An answer that is on its way, without what it is called. */
export interface Answering {
  readonly events: AsyncIterable<AnswerEvent>;
  /** How many messages were dropped so far. */
  droppedMessages(): number;
}

/** An answer of a model of an upstream, made as it is taken. */
export function modelAnswer(
  { request, model, agent, searches, attached, webClosedBecause }: AskedOfModel,
  signal: AbortSignal,
): Answering {
  const { turns, language, temperature } = request;
  const { upstream, id, takesImages, contextTokens } = model;
  const fence = new Fence();
  const sources = new SourceList();
  const webAfterInternal = agent?.webAfterInternal ?? false;
  const toolbox = new Toolbox({ searches, webAfterInternal, webClosedBecause, sources, fence });
  const messages = promptOf({
    ...{ turns, language, takesImages, fence, instructions: agent?.instructions ?? null },
    ...{ readsTexts: toolbox.offered.length > 0 || attached.length > 0 },
    attached: shownFiles(attached, sources, fence),
  });
  const window = new ContextWindow(messages, contextTokens);
  return {
    events: askModel({ upstream, model: id, temperature, window, toolbox, sources }, signal),
    droppedMessages: () => window.dropped,
  };
}
