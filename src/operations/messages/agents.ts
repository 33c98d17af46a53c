import { createValidate, json, type tags } from "typia";
import type { AgentCreated, AgentDefinition } from "../../events/agent.js";
import { emailIssues, emptyEmailIssues } from "../../http/messages/foldedNames.js";
import type { EmailText } from "../../http/messages/texts.js";
import { issuesOfEach, patternMismatch, tooShort, valueError, type Issue } from "../../http/validation/issue.js";
import type { MaxCharacters } from "../../http/validation/maxCharacters.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import { toEmail } from "../../shared/ids.js";

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

export const agentMessage = bodyMessage(json.schema<AgentMessage>(), createValidate<AgentMessage>(), issuesOf);

/** What was asked for, with what was left out. */
export const toDefinition = (message: AgentMessage): AgentDefinition => ({
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

export const agentAnswer = answerMessage(json.schema<AgentAnswer>());
export const agentsAnswer = answerMessage(json.schema<AgentsAnswer>());
export const deletedAgentAnswer = answerMessage(json.schema<DeletedAgentAnswer>());

/** An agent as it is told. */
export const toAgentAnswer = (id: AgentCreated["data"]["agentId"], definition: AgentDefinition): AgentAnswer => ({
  id,
  name: definition.name,
  instructions: definition.instructions,
  model: definition.model,
  tools: [...definition.tools],
  sources: definition.sources && [...definition.sources],
  users: definition.users && [...definition.users],
  web_after_internal: definition.webAfterInternal,
});
