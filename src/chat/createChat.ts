import { randomBytes } from "node:crypto";
import type { Agent, Agents } from "../readModels/agents.js";
import { toAgentId, toAnswerId, type AnswerId } from "../shared/ids.js";
import type { AnswerEvent, Chat, CompletionRequest, ModelRecord } from "./chat.js";
import { modelNotFound } from "./chatFailure.js";
import { agentPrefix, choose, type Chosen } from "./completion/chosen.js";
import { readAttachments } from "./completion/attachments.js";
import { modelAnswer, type Answering } from "./completion/modelAnswer.js";
import { extractiveModelAnswer } from "./extractive/extractiveModel.js";
import type { Catalogue } from "./models/catalogue.js";
import type { UploadedFiles } from "./ports/files.js";
import { searchesOf, type Searches, type SearchPorts } from "./tools/searches.js";
import { toChatFailure } from "./upstreamTroubles.js";

/** What chat rests on. */
export interface ChatParts {
  readonly models: Catalogue;
  readonly agents: Agents;
  readonly files: UploadedFiles;
  readonly searches: SearchPorts;
  /** What the model is called that quotes and needs no server. */
  readonly extractiveModel: string;
  /** The model that is asked where none is named, by the name that clients know. */
  readonly defaultModel: string;
  readonly now: () => Date;
}

/** When the extractive model came to be: 1 January 2026. */
const extractiveCreated = 1_767_225_600;

/** Answers by the models of all upstreams, and by the extractive one, with the tools of the service. */
export function createChat(parts: ChatParts): Chat {
  const { models, agents, extractiveModel } = parts;
  const ours: ModelRecord = { id: extractiveModel, created: extractiveCreated };
  return {
    models: async (person) => [
      ours,
      ...(await models.list()).map(({ publicId: id, created }) => ({ id, created })),
      ...(await agents.list(person)).map(recordOfAgent),
    ],
    findModel: async (person, id) => {
      if (id === ours.id) return ours;
      if (id.startsWith(agentPrefix)) {
        const agent = await agents.find(person, toAgentId(id.slice(agentPrefix.length)));
        return agent && recordOfAgent(agent);
      }
      const model = await models.find(id);
      return model && { id, created: model.created };
    },
    answer: async (request, signal) => {
      const chosen = await choose(request, parts);
      const id = `chatcmpl-${randomBytes(16).toString("hex")}`;
      const { events, droppedMessages } = await answering({ request, chosen, answerId: toAnswerId(id) }, parts, signal);
      return {
        ...{ id, model: request.model ?? chosen.model, created: epochSeconds(parts.now()) },
        ...{ events: withTroublesTold(events), droppedMessages },
      };
    },
  };
}

const recordOfAgent = ({ id, name, updatedAt }: Agent): ModelRecord => ({
  id: agentPrefix + id,
  name,
  created: epochSeconds(new Date(updatedAt)),
});

const epochSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

interface Asked {
  readonly request: CompletionRequest;
  readonly chosen: Chosen;
  readonly answerId: AnswerId;
}

async function answering(
  { request, chosen, answerId }: Asked,
  parts: ChatParts,
  signal: AbortSignal,
): Promise<Answering> {
  const { agent, tools, model: name } = chosen;
  const { person, webSearchMode, origin, context } = request;
  const scope = { person, tools, sources: agent?.sources ?? null, webSearchMode, answerId, origin, context };
  const searches: Searches = searchesOf(parts.searches, scope);
  if (name === parts.extractiveModel) {
    const reading = { contextTokens: extractiveTokens, takesImages: false };
    const attached = await readAttachments(parts.files, request, reading, signal);
    return extractiveModelAnswer({ request, searches, attached }, signal);
  }
  const model = await parts.models.find(name);
  if (model === null) throw modelNotFound(name);
  const attached = await readAttachments(parts.files, request, model, signal);
  return modelAnswer({ request, model, agent, searches, attached }, signal);
}

/** So much of files is looked at where nothing limits it but the time that it takes. */
const extractiveTokens = 200_000;

/** The failures of models as whoever asked is told of them. */
async function* withTroublesTold(events: AsyncIterable<AnswerEvent>): AsyncGenerator<AnswerEvent, void, void> {
  try {
    yield* events;
  } catch (error) {
    throw toChatFailure(error);
  }
}
