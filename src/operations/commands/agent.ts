import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Command, Option } from "commander";
import { toolNames, type ToolName } from "../../events/agent.js";
import { parseEmail, withUrlOption } from "../../cli/arguments.js";
import { usageFailure } from "../../cli/cliFailure.js";
import { renderTable } from "../../cli/output.js";
import { withService, type Service } from "../../cli/service.js";
import type { Terminal } from "../../cli/terminal.js";
import type { AgentAnswer, AgentMessage, AgentsAnswer, DeletedAgentAnswer } from "../routes/agents.js";

const path = "/api/admin/agents";
const pathOf = (id: string): string => `${path}/${encodeURIComponent(id)}`;

interface AskOptions {
  readonly url?: string;
  readonly json?: boolean;
}

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

const asked = (command: Command): Command =>
  withUrlOption(command, "an operator").option("--json", "print one JSON object");

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

/** Asks the service, and prints what it answers with. */
const printed = <Answer extends object>(
  terminal: Terminal,
  { url, json }: AskOptions,
  ask: (service: Service) => Promise<Answer>,
  forPeople: (answer: Answer) => string,
): Promise<void> =>
  withService(terminal, { url, keyOf: "an operator" }, async (service) => {
    const answer = await ask(service);
    terminal.printResult(json === true, answer, () => forPeople(answer));
  });

function createCommand(terminal: Terminal): Command {
  const command = new Command("create")
    .description("create an agent")
    .requiredOption("--name <name>", "what people choose it by");
  return asked(withDefinition(command))
    .addHelpText(
      "after",
      `
Without --model it takes the service's default, without --tool it searches nothing,
without --source everything, and without --user everybody may use it.

Examples:
  enterprise-search agent create --name "Travel desk" --instructions travel.md --tool internalSearch
  enterprise-search agent create --name Research --tool internalSearch webSearch --user ada@example.com`,
    )
    .action(async (options: DefinitionOptions & AskOptions) => {
      const body = await defined(terminal, options);
      await printed<AgentAnswer>(
        terminal,
        options,
        (service) => service.ask({ method: "POST", path, body }),
        ({ id, name }) => `The agent ${name} is created; chat programs know it as the model agent:${id}.`,
      );
    });
}

function listCommand(terminal: Terminal): Command {
  return asked(new Command("list").description("list every agent, whoever may use it"))
    .addHelpText("after", "\nExample:\n  enterprise-search agent list --json")
    .action((options: AskOptions) =>
      printed<AgentsAnswer>(
        terminal,
        options,
        (service) => service.ask({ method: "GET", path }),
        ({ agents }) => tableOf(agents),
      ),
    );
}

function showCommand(terminal: Terminal): Command {
  return asked(new Command("show").description("show an agent").argument("<id>", "its id, as `list` shows it"))
    .addHelpText("after", "\nExample:\n  enterprise-search agent show 3f2a9c0d7b6e4d1f8a5c")
    .action((id: string, options: AskOptions) =>
      printed<AgentAnswer>(terminal, options, (service) => service.ask({ method: "GET", path: pathOf(id) }), describe),
    );
}

function updateCommand(terminal: Terminal): Command {
  const command = new Command("update")
    .description("change an agent; what is not named stays")
    .argument("<id>", "its id, as `list` shows it")
    .option("--name <name>", "what people choose it by");
  return asked(withDefinition(command))
    .addHelpText(
      "after",
      `
Examples:
  enterprise-search agent update 3f2a9c0d7b6e4d1f8a5c --instructions travel.md
  enterprise-search agent update 3f2a9c0d7b6e4d1f8a5c --everybody --no-tool`,
    )
    .action(async (id: string, options: DefinitionOptions & AskOptions) => {
      const changes = await defined(terminal, options);
      if (Object.keys(changes).length === 0) throw usageFailure("Name what is to change; --help lists it.");
      await printed<AgentAnswer>(
        terminal,
        options,
        async (service) => {
          const { id: _id, ...before } = await service.ask<AgentAnswer>({ method: "GET", path: pathOf(id) });
          return service.ask({ method: "PUT", path: pathOf(id), body: { ...before, ...changes } });
        },
        ({ name }) => `The agent ${name} is changed.`,
      );
    });
}

function deleteCommand(terminal: Terminal): Command {
  return asked(
    new Command("delete").description("delete an agent, for good").argument("<id>", "its id, as `list` shows it"),
  )
    .addHelpText("after", "\nExample:\n  enterprise-search agent delete 3f2a9c0d7b6e4d1f8a5c")
    .action((id: string, options: AskOptions) =>
      printed<DeletedAgentAnswer>(
        terminal,
        options,
        (service) => service.ask({ method: "DELETE", path: pathOf(id) }),
        () => `The agent ${id} is deleted.`,
      ),
    );
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

function tableOf(agents: readonly AgentAnswer[]): string {
  if (agents.length === 0) return "There is no agent yet. Create one: enterprise-search agent create";
  return renderTable(
    ["ID", "NAME", "MODEL", "TOOLS", "SOURCES", "USERS"],
    agents.map(({ id, name, model, tools, sources, users }) => [
      ...[id, name, model ?? "default", listed(tools, "")],
      ...[listed(sources, "all"), users === null ? "everybody" : String(users.length)],
    ]),
  );
}

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
