import { createValidate, json, type tags } from "typia";
import { toAgentId, toEmail } from "../../shared/ids.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { commandRoute } from "../../http/commandRoute.js";
import { toRefusal } from "../../http/envelopes.js";
import { RefusedRequest } from "../../http/refusedRequest.js";
import { route } from "../../http/route.js";
import { agentInPath } from "../../http/pathParameters.js";
import type { AgentCreated, AgentDefinition } from "../../events/agent.js";
import { emailIssues, emptyEmailIssues, type EmailText } from "../../http/messages/names.js";
import { issuesOfEach, patternMismatch, tooShort, valueError, type Issue } from "../../http/validation/issue.js";
import type { MaxCharacters } from "../../http/validation/characters.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";

/** Body of `POST /api/admin/agents` and `PUT /api/admin/agents/{id}`: all of an agent. */
export interface AgentMessage {
  /** What people choose it by. */
  name: string & tags.MinLength<1> & MaxCharacters<128>;
  /** What the model is told before anything else. Default: nothing. */
  instructions?: string & MaxCharacters<32000>;
  /** Id of a model, as the list of models tells it. Default: the service's default. */
  model?: (string & tags.MinLength<1> & MaxCharacters<256>) | null;
  /** The tools that it may use. Default: none. */
  tools?: (("webSearch" | "internalSearch")[] & tags.MaxItems<16>) | null;
  /** Values of `data_source` that its internal searches keep to. Default: all. */
  sources?: ((string & MaxCharacters<200>)[] & tags.MaxItems<100>) | null;
  /** Login emails of those who may use it. Default: everybody. */
  users?: (EmailText[] & tags.MaxItems<1000>) | null;
  /** Whether it may search the web after an internal search of the same answer. Default: false. */
  web_after_internal?: boolean;
}

/** What `data_source` takes, as far as its form goes. */
const sourceForm = "^[a-z][a-z0-9]*(_{1,2}[a-z][a-z0-9]*)*$";

const isSource = new RegExp(sourceForm);

function issuesOf({ name, model, sources, users }: AgentMessage): readonly Issue[] {
  return [
    ...(name.trim() === "" ? [tooShort(["body", "name"], 1)] : []),
    ...(model?.startsWith("agent:") === true
      ? [valueError(["body", "model"], "an agent cannot be the model of an agent")]
      : []),
    ...issuesOfEach(sources ?? [], (source, index) =>
      isSource.test(source) ? [] : [patternMismatch(["body", "sources", index], sourceForm)],
    ),
    ...issuesOfEach(users ?? [], (user, index) => {
      const loc = ["body", "users", index];
      return [...emptyEmailIssues(loc, user), ...emailIssues(loc, user)];
    }),
  ];
}

const agentMessage = bodyMessage(json.schema<AgentMessage>(), createValidate<AgentMessage>(), issuesOf);

/** What was asked for, with what was left out. */
const toDefinition = (message: AgentMessage): AgentDefinition => ({
  name: message.name.trim(),
  instructions: message.instructions ?? "",
  model: message.model ?? null,
  tools: message.tools ?? [],
  sources: message.sources ?? null,
  users: message.users?.map(toEmail) ?? null,
  webAfterInternal: message.web_after_internal ?? false,
});

/** An agent. */
export interface AgentAnswer {
  id: string;
  name: string;
  instructions: string;
  /** null: the service's default. */
  model: string | null;
  tools: ("webSearch" | "internalSearch")[];
  /** null: all. */
  sources: string[] | null;
  /** null: everybody. */
  users: string[] | null;
  web_after_internal: boolean;
}

/** Answer of `GET /api/admin/agents`: by name. */
export interface AgentsAnswer {
  agents: AgentAnswer[];
}

/** Answer of `DELETE /api/admin/agents/{id}`. */
export interface DeletedAgentAnswer {
  id: string;
  deleted: true;
}

const agentAnswer = answerMessage(json.schema<AgentAnswer>());
const agentsAnswer = answerMessage(json.schema<AgentsAnswer>());
const deletedAgentAnswer = answerMessage(json.schema<DeletedAgentAnswer>());

/** An agent as it is told. */
const toAgentAnswer = (id: AgentCreated["data"]["agentId"], definition: AgentDefinition): AgentAnswer => ({
  id,
  name: definition.name,
  instructions: definition.instructions,
  model: definition.model,
  tools: [...definition.tools],
  sources: definition.sources && [...definition.sources],
  users: definition.users && [...definition.users],
  web_after_internal: definition.webAfterInternal,
});

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

/** Agents, for those who look after them (docs/design/chat-and-web.md). */
export const agentRoutes = [createAgent, listAgents, readAgent, updateAgent, deleteAgent];
