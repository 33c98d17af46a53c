import { randomBytes } from "node:crypto";
import type { Agent, Agents } from "../readModels/agents.js";
import { toAgentId, toAnswerId, type AnswerId } from "../shared/ids.js";
import {
  type AnswerEvent,
  type Chat,
  type CompletionRequest,
  type ModelRecord,
  modelNotFound,
  ChatFailure,
} from "./chat.js";
import { readAttachments } from "./completion/attachments.js";
import { modelAnswer, type Answering } from "./completion/modelAnswer.js";
import { extractiveModelAnswer } from "./extractive/extractiveModel.js";
import type { Catalogue } from "./models/catalogue.js";
import { ModelsWithoutTools } from "./models/modelsWithoutTools.js";
import type { AttachedFiles } from "./fileContext.js";
import { searchesOf, type Searches, type SearchPorts } from "./tools/searches.js";
import { retryAfterMs } from "../shared/failures.js";
import { UpstreamFailure, type UpstreamTrouble } from "./ports/modelUpstream.js";
import type { ToolName } from "../events/agent.js";

/** What chat rests on. */
export interface ChatParts {
  readonly models: Catalogue;
  readonly agents: Agents;
  readonly files: AttachedFiles;
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
  const withoutTools = new ModelsWithoutTools();
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
      const asked = { request, chosen, answerId: toAnswerId(id), withoutTools };
      const { events, ...told } = await answering(asked, parts, signal);
      return {
        ...{ id, model: request.model ?? chosen.model, created: epochSeconds(parts.now()) },
        ...{ events: withTroublesTold(events), ...told },
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
  readonly withoutTools: ModelsWithoutTools;
}

async function answering(
  { request, chosen, answerId, withoutTools }: Asked,
  parts: ChatParts,
  signal: AbortSignal,
): Promise<Answering> {
  const { agent, tools, model: name } = chosen;
  const { person, webSearchMode, origin, context, atLeast } = request;
  const webClosedBecause = whyWebIsClosed(request, chosen);
  const open = webClosedBecause === null ? tools : tools.filter((tool) => tool !== "webSearch");
  const scope = {
    person,
    tools: open,
    sources: agent?.sources ?? null,
    webSearchMode,
    answerId,
    origin,
    context,
    atLeast,
  };
  const searches: Searches = searchesOf(parts.searches, scope);
  if (name === parts.extractiveModel) {
    const reading = { contextTokens: extractiveTokens, takesImages: false };
    const attached = await readAttachments(parts.files, request, reading, signal);
    const readText = (id: string): Promise<string | null> => parts.searches.documents.read(person, id, signal);
    return extractiveModelAnswer({ request, searches, attached, readText }, signal);
  }
  const model = await parts.models.find(name);
  if (model === null) throw modelNotFound(name);
  const attached = await readAttachments(parts.files, request, model, signal);
  return modelAnswer({ request, model, agent, searches, attached, webClosedBecause, withoutTools }, signal);
}

/**
 * Why a model must not write queries for the web; null: it may, until it has read documents. What it has been shown
 * already could leave in one of them: files, and answers that may rest on documents.
 */
function whyWebIsClosed({ turns, files }: CompletionRequest, { tools, agent }: Chosen): string | null {
  if (!tools.includes("webSearch")) return null;
  if (files.length > 0) return "files are attached";
  const mayRestOnDocuments = tools.includes("internalSearch") && turns.some(({ role }) => answeringRoles.has(role));
  return mayRestOnDocuments && agent?.webAfterInternal !== true ? "an earlier answer may rest on documents" : null;
}

/** The roles whose turns may hold what documents say: tools of a client's own may read documents too. */
const answeringRoles: ReadonlySet<string> = new Set(["assistant", "tool"]);

/** So much of files is looked at where nothing limits it but the time that it takes. */
const extractiveTokens = 200_000;

/** The failures of models as the person who asked is told of them. */
async function* withTroublesTold(events: AsyncIterable<AnswerEvent>): AsyncGenerator<AnswerEvent, void, void> {
  try {
    yield* events;
  } catch (error) {
    throw toChatFailure(error);
  }
}

type ToldFailure = Pick<ChatFailure["failure"], "status" | "code" | "param" | "retryAfter">;

const told: Readonly<Record<UpstreamTrouble, ToldFailure>> = {
  unavailable: { status: 503, code: "upstream_unavailable" },
  silent: { status: 504, code: "upstream_timeout" },
  rateLimited: { status: 429, code: "rate_limit_exceeded" },
  contextOverflow: { status: 400, code: "context_length_exceeded", param: "messages" },
  toolsRefused: { status: 502, code: "upstream_error" },
  broken: { status: 502, code: "upstream_error" },
};

/** What the person who asked is told of a failure of the model's server; anything else stays what it is. */
function toChatFailure(error: unknown): unknown {
  if (!(error instanceof UpstreamFailure)) return error;
  const { trouble, message, retryAfter } = error;
  const failure = { message, ...told[trouble] };
  // In words of our own: what a server writes need be no header.
  const waitMs = retryAfterMs(retryAfter ?? undefined);
  return new ChatFailure(waitMs === null ? failure : { ...failure, retryAfter: String(Math.ceil(waitMs / 1_000)) });
}

/** What the id of a model begins with that is an agent. */
const agentPrefix = "agent:";

/** The model that answers a request, its agent and its tools. */
interface Chosen {
  /** A model of the catalogue, by the name that clients know. */
  readonly model: string;
  readonly agent: Agent | null;
  readonly tools: readonly ToolName[];
}

/**
 * Chooses model and tools. An agent allows tools, and a request asks for them. A request that names the agent as its
 * model asks for the agent's model and all of its tools: chat programs can name nothing else.
 */
async function choose(
  { person, model, agentId, tools }: Pick<CompletionRequest, "person" | "model" | "agentId" | "tools">,
  { agents, defaultModel }: { readonly agents: Agents; readonly defaultModel: string },
): Promise<Chosen> {
  const named = agentNamedBy(model);
  const id = agentId ?? named;
  if (named !== null && named !== id) throw twoAgents();
  if (id === null) return { model: model ?? defaultModel, agent: null, tools };
  const agent = await agents.find(person, toAgentId(id));
  if (agent === null) throw agentId === null ? modelNotFound(`${agentPrefix}${id}`) : agentNotFound(id);
  return {
    model: (named === null ? model : null) ?? agent.model ?? defaultModel,
    agent,
    tools: named === null ? tools.filter((tool) => agent.tools.includes(tool)) : agent.tools,
  };
}

const agentNamedBy = (model: string | null): string | null =>
  model?.startsWith(agentPrefix) === true ? model.slice(agentPrefix.length) : null;

const twoAgents = (): ChatFailure =>
  new ChatFailure({
    ...{ status: 422, code: "two_agents", param: "metadata.agent_id" },
    message: "The model is an agent, and agent_id names another one. Name one of them.",
  });

const agentNotFound = (id: string): ChatFailure =>
  new ChatFailure({
    ...{ status: 404, code: "agent_not_found", param: "metadata.agent_id" },
    message: `There is no agent with the id ${JSON.stringify(id)} that you may use.`,
  });
