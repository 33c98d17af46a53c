import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Command, Option } from "commander";
import { toolNames, type ToolName } from "../../events/agent.js";
import { parseEmail } from "../../cli/arguments.js";
import { usageFailure } from "../../cli/cliFailure.js";
import { listingAsTable, type Listing } from "../../cli/listing.js";
import { askAndPrint, withAskOptions, type AskOptions } from "../../cli/question.js";
import type { Terminal } from "../../cli/terminal.js";
import type { AgentAnswer, AgentMessage, AgentsAnswer, DeletedAgentAnswer } from "../routes/agents.js";

const path = "/api/admin/agents";
const pathOf = (id: string): string => `${path}/${encodeURIComponent(id)}`;

/** What of an agent is set; false: it is taken back. */
interface DefinitionOptions {
  readonly name?: string;
  readonly instructions?: string;
  readonly model?: string | false;
  readonly tool?: readonly ToolName[] | false;
  readonly source?: readonly string[];
  readonly allSources?: true;
  readonly user?: readonly string[];
  readonly everybody?: true;
  readonly webAfterInternal?: boolean;
}

/** `agent`: what people talk to under a name, with instructions, tools and sources of its own. */
export function agentCommand(terminal: Terminal): Command {
  return new Command("agent")
    .description("agents: a model with instructions, tools and sources of its own")
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(updateCommand(terminal))
    .addCommand(deleteCommand(terminal))
    .addHelpText(
      "after",
      "\nPeople who may use an agent find it among the models, as agent:{id}. Documents they see with it are their own.",
    );
}

const withDefinition = (command: Command): Command =>
  command
    .option("--instructions <file>", "what the model is told before anything else; - reads it from stdin")
    .option("--model <id>", "a model of the list of models")
    .option("--no-model", "the service's default model")
    .addOption(new Option("--tool <names...>", "the tools that it may use").choices(toolNames))
    .option("--no-tool", "no tools")
    .option("--source <names...>", "datasources that it searches: values of data_source, such as handbook__guides")
    .addOption(new Option("--all-sources", "it searches all datasources").conflicts("source"))
    .option("--user <emails...>", "the people who may use it", (email, others: readonly string[] = []) => [
      ...others,
      parseEmail(email),
    ])
    .addOption(new Option("--everybody", "everybody may use it").conflicts("user"))
    .option("--web-after-internal", "it may search the web after it has searched documents")
    .option("--no-web-after-internal", "what it has found in documents never becomes a web query");

function createCommand(terminal: Terminal): Command {
  const command = new Command("create")
    .description("create an agent")
    .requiredOption("--name <name>", "what people choose it by")
    .action(async (options: DefinitionOptions & AskOptions) => {
      const body = await defined(terminal, options);
      await askAndPrint<AgentAnswer>(terminal, options, {
        keyOf: "an operator",
        ask: (service) => service.ask({ method: "POST", path, body }),
        inWords: ({ id, name }) => `The agent ${name} is created; chat programs know it as the model agent:${id}.`,
      });
    });
  return withAskOptions(withDefinition(command), {
    keyOf: "an operator",
    explanation: `Without --model it takes the service's default, without --tool it searches nothing,
without --source everything, and without --user everybody may use it.`,
    examples: [
      'agent create --name "Travel desk" --instructions travel.md --tool internalSearch',
      "agent create --name Research --tool internalSearch webSearch --user ada@example.com",
    ],
  });
}

function listCommand(terminal: Terminal): Command {
  const command = new Command("list")
    .description("list every agent, whoever may use it")
    .action((options: AskOptions) =>
      askAndPrint<AgentsAnswer>(terminal, options, {
        keyOf: "an operator",
        ask: (service) => service.ask({ method: "GET", path }),
        inWords: ({ agents }) => listingAsTable(listing, agents),
      }),
    );
  return withAskOptions(command, { keyOf: "an operator", examples: ["agent list --json"] });
}

const ofAgent = (name: string, description: string): Command =>
  new Command(name).description(description).argument("<id>", "its id, as `list` shows it");

function showCommand(terminal: Terminal): Command {
  const command = ofAgent("show", "show an agent").action((id: string, options: AskOptions) =>
    askAndPrint<AgentAnswer>(terminal, options, {
      keyOf: "an operator",
      ask: (service) => service.ask({ method: "GET", path: pathOf(id) }),
      inWords: describe,
    }),
  );
  return withAskOptions(command, { keyOf: "an operator", examples: ["agent show 3f2a9c0d7b6e4d1f8a5c"] });
}

function updateCommand(terminal: Terminal): Command {
  const command = ofAgent("update", "change an agent; what is not named stays")
    .option("--name <name>", "what people choose it by")
    .action(async (id: string, options: DefinitionOptions & AskOptions) => {
      const changes = await defined(terminal, options);
      if (Object.keys(changes).length === 0) throw usageFailure("Name what is to change; --help lists it.");
      await askAndPrint<AgentAnswer>(terminal, options, {
        keyOf: "an operator",
        ask: async (service) => {
          const { id: _id, ...before } = await service.ask<AgentAnswer>({ method: "GET", path: pathOf(id) });
          return service.ask({ method: "PUT", path: pathOf(id), body: { ...before, ...changes } });
        },
        inWords: ({ name }) => `The agent ${name} is changed.`,
      });
    });
  return withAskOptions(withDefinition(command), {
    keyOf: "an operator",
    examples: [
      "agent update 3f2a9c0d7b6e4d1f8a5c --instructions travel.md",
      "agent update 3f2a9c0d7b6e4d1f8a5c --everybody --no-tool",
    ],
  });
}

function deleteCommand(terminal: Terminal): Command {
  const command = ofAgent("delete", "delete an agent, for good").action((id: string, options: AskOptions) =>
    askAndPrint<DeletedAgentAnswer>(terminal, options, {
      keyOf: "an operator",
      ask: (service) => service.ask({ method: "DELETE", path: pathOf(id) }),
      inWords: () => `The agent ${id} is deleted.`,
    }),
  );
  return withAskOptions(command, { keyOf: "an operator", examples: ["agent delete 3f2a9c0d7b6e4d1f8a5c"] });
}

/** What the options say of an agent; what they do not name is not there. */
async function defined(terminal: Terminal, options: DefinitionOptions): Promise<Partial<AgentMessage>> {
  const { name, instructions, model, tool, source, allSources, user, everybody, webAfterInternal } = options;
  return {
    ...(name !== undefined && { name }),
    ...(instructions !== undefined && { instructions: await readInstructions(terminal, instructions) }),
    ...(model !== undefined && { model: model || null }),
    ...(tool !== undefined && { tools: tool === false ? [] : [...tool] }),
    ...(source !== undefined && { sources: [...source] }),
    ...(allSources === true && { sources: null }),
    ...(user !== undefined && { users: [...user] }),
    ...(everybody === true && { users: null }),
    ...(webAfterInternal !== undefined && { web_after_internal: webAfterInternal }),
  };
}

async function readInstructions(terminal: Terminal, file: string): Promise<string> {
  if (file === "-") return text(terminal.stdin);
  return readFile(file, "utf8").catch((error: Error) => {
    throw usageFailure(`The instructions cannot be read: ${error.message}.`);
  });
}

const listed = (values: readonly string[] | null, all: string): string =>
  values === null ? all : values.join(", ") || "-";

const listing: Listing<AgentAnswer> = {
  columns: [
    ["id", ({ id }) => id],
    ["name", ({ name }) => name],
    ["model", ({ model }) => model ?? "default"],
    ["tools", ({ tools }) => listed(tools, "")],
    ["sources", ({ sources }) => listed(sources, "all")],
    ["users", ({ users }) => (users === null ? "everybody" : String(users.length))],
  ],
  none: "There is no agent yet. Create one: enterprise-search agent create",
};

const describe = ({ id, name, model, tools, sources, users, ...rest }: AgentAnswer): string =>
  [
    `Id:                  ${id}`,
    `Name:                ${name}`,
    `Model:               ${model ?? "the service's default"}`,
    `Tools:               ${listed(tools, "")}`,
    `Sources:             ${listed(sources, "all")}`,
    `Users:               ${listed(users, "everybody")}`,
    `Web after internal:  ${rest.web_after_internal ? "yes" : "no"}`,
    "Instructions:",
    rest.instructions || "-",
  ].join("\n");
