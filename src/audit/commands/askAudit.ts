import { Option, type Command } from "commander";
import { withService, type Service } from "../../cli/service.js";
import { withUrlOption } from "../../cli/arguments.js";
import type { Terminal } from "../../cli/terminal.js";

/** What every question about the past takes besides its own options. */
export interface AuditOptions {
  readonly url?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** What is to be said of the moments that options of a command take. */
const ofMoments = `
A moment is an ISO 8601 time, such as 2026-01-31T18:00:00Z, or names a place in
the log exactly: a consistency token, or the position of an event.
`;

/** Adds the options of {@link AuditOptions}, and what is to be said about them and about those that are there. */
export function withAuditOptions(command: Command, examples: readonly string[]): Command {
  const takesMoment = command.options.some((option) => option.attributeName() === "at");
  return withUrlOption(command, "an auditor")
    .option("--json", "print one JSON object")
    .addOption(new Option("--csv", "print comma-separated values").conflicts("json"))
    .addHelpText(
      "after",
      `${takesMoment ? ofMoments : ""}\nExamples:\n${examples.map((example) => `  enterprise-search ${example}`).join("\n")}`,
    );
}

/**
 * Asks the service that the options name; on the data folder, as soon as these projections have followed the log. Says
 * behind the answer where it comes from, unless that stands in the answer itself (`json`).
 */
export function withAuditService<Value>(
  { url, json }: Pick<AuditOptions, "url" | "json">,
  terminal: Terminal,
  projections: readonly string[],
  use: (service: Service) => Promise<Value>,
): Promise<Value> {
  const projecting = projections.length > 0;
  return withService(terminal, { url, keyOf: "an auditor", projecting }, async (service) => {
    if (projecting) await service.untilProjected(projections);
    const value = await use(service);
    if (json !== true) terminal.note(`Source: ${service.source}`);
    return value;
  });
}

/** The address of a question with these parameters; those that are undefined are left out. */
export function addressOf(question: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/api/audit/${question}?${new URLSearchParams(given)}`;
}
