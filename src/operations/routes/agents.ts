import { toAgentId } from "../../shared/ids.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { commandRoute } from "../../http/commandRoute.js";
import { toRefusal } from "../../http/envelopes.js";
import { RefusedRequest } from "../../http/refusedRequest.js";
import { route } from "../../http/route.js";
import { agentInPath } from "../../http/routes/descriptions.js";
import {
  type AgentAnswer,
  agentAnswer,
  agentMessage,
  agentsAnswer,
  type DeletedAgentAnswer,
  deletedAgentAnswer,
  toAgentAnswer,
  toDefinition,
} from "../messages/agents.js";

const tag = "Agents";
const access = "operator";
const params = [agentInPath];
const noSuch = { 404: "There is no agent with this id." };
const notKnownYet = "Which agents there are is not known yet; see Retry-After.";
const example: AgentAnswer = {
  ...{ id: "3f2a9c0d7b6e4d1f8a5c", name: "Travel desk", instructions: "Answer from the handbook alone.", model: null },
  ...{ tools: ["internalSearch"], sources: ["handbook"], users: ["ada@example.org"], web_after_internal: false },
};
const { id: _id, ...definition } = example;
const readBack = "Reads that begin after the answer, at any process, reflect it.";

const createAgent = commandRoute({
  method: "POST",
  path: "/api/admin/agents",
  access,
  body: jsonBody(agentMessage),
  answersAtOnce: true,
  toCommand: ({ body }) => ({ definition: toDefinition(body) }),
  run: (command, context, commands) => commands.createAgent(command, context),
  toAnswer: ({ agentId, ...created }) => toAgentAnswer(agentId, created),
  description: {
    tag,
    summary: "Create an agent",
    description: `People who may use it talk to it as a model, \`agent:{id}\`. ${readBack}`,
    example: definition,
    success: { description: "Created.", schema: agentAnswer, example },
  },
});

const listAgents = route({
  method: "GET",
  path: "/api/admin/agents",
  access,
  async handle(context) {
    const agents = await context.services.agents.all();
    context.body = { agents: agents.map((agent) => toAgentAnswer(agent.id, agent)) };
  },
  description: {
    tag,
    summary: "List agents",
    description: "All of them, by name, whoever may use them.",
    success: { description: "Agents.", schema: agentsAnswer, example: { agents: [example] } },
    failures: { 503: notKnownYet },
  },
});

const readAgent = route({
  method: "GET",
  path: "/api/admin/agents/{id}",
  access,
  params,
  async handle(context, { params: { id } }) {
    const agent = await context.services.agents.get(toAgentId(id));
    if (agent === null) throw new RefusedRequest(toRefusal({ type: "AgentNotFound", id }));
    context.body = toAgentAnswer(agent.id, agent);
  },
  description: {
    tag,
    summary: "Read an agent",
    success: { description: "The agent.", schema: agentAnswer, example },
    failures: noSuch,
  },
});

const updateAgent = commandRoute({
  method: "PUT",
  path: "/api/admin/agents/{id}",
  access,
  params,
  body: jsonBody(agentMessage),
  answersAtOnce: true,
  toCommand: ({ params: { id }, body }) => ({ agentId: toAgentId(id), definition: toDefinition(body) }),
  run: (command, context, commands) => commands.updateAgent(command, context),
  toAnswer: ({ agentId, ...updated }) => toAgentAnswer(agentId, updated),
  description: {
    tag,
    summary: "Replace an agent",
    description: `All of it: what is left out becomes its default. ${readBack}`,
    example: definition,
    success: { description: "Replaced.", schema: agentAnswer, example },
    failures: noSuch,
  },
});

const deleteAgent = commandRoute({
  method: "DELETE",
  path: "/api/admin/agents/{id}",
  access,
  params,
  answersAtOnce: true,
  toCommand: ({ params: { id } }) => ({ agentId: toAgentId(id) }),
  run: (command, context, commands) => commands.deleteAgent(command, context),
  toAnswer: (_value, { agentId: id }): DeletedAgentAnswer => ({ id, deleted: true }),
  description: {
    tag,
    summary: "Delete an agent",
    description: `For good. ${readBack}`,
    success: { description: "Deleted.", schema: deletedAgentAnswer, example: { id: example.id, deleted: true } },
    failures: noSuch,
  },
});

/** Agents, for those who look after them (ADR 42). */
export const agentRoutes = [createAgent, listAgents, readAgent, updateAgent, deleteAgent];
