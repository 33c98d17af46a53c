import { Command } from "commander";
import type { Terminal } from "./terminal.js";
import { version } from "../version.js";

/** A command, made for a terminal. */
export type CommandAt = (terminal: Terminal) => Command;

/** The command line at a terminal. Parsing throws commander's errors instead of ending the process. */
export function createProgram(terminal: Terminal, commands: readonly CommandAt[]): Command {
  const program = new Command("enterprise-search")
    .description("Self-hosted search over documents with permissions: everyone finds what they may see.")
    .version(version)
    .enablePositionalOptions()
    .addHelpText(
      "after",
      `
Every command works on the data folder DATA_DIR (default: ./data), while a server runs on it and while none does.
With --json a command prints exactly one JSON object on stdout and nothing else.
Exit codes: 0 done, 1 failed, 2 asked in a way that cannot be done.

Examples:
  enterprise-search serve
  enterprise-search account create --email ada@example.com --role administrator
  enterprise-search service-account create --name wiki-sync
  enterprise-search import ./handbook --datasource handbook --acl handbook-access.yaml
  enterprise-search <command> --help`,
    );
  for (const commandAt of commands) program.addCommand(commandAt(terminal));
  throwInsteadOfExiting(program, terminal);
  return program;
}

function throwInsteadOfExiting(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.writeError(text) })
    .showHelpAfterError("(--help explains the command)");
  for (const inner of command.commands) throwInsteadOfExiting(inner, terminal);
}
