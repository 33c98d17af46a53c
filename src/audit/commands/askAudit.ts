import { Option, type Command } from "commander";
import { queryString, withAskOptions, type AskOptions, type QueryParameters } from "../../cli/question.js";
import { withService, type Service } from "../../cli/service.js";
import type { Terminal } from "../../cli/terminal.js";

/** What every question about the past takes besides its own options. */
export interface AuditOptions extends AskOptions {
  readonly csv?: boolean;
}

/** What help says of the moments that options of a command take. */
const aboutMoments = `A moment is an ISO 8601 time, such as 2026-01-31T18:00:00Z, or names a place in
the log exactly: a consistency token, or the position of an event.`;

/** Adds the options of {@link AuditOptions}, and what help says about them and about those that are there. */
export function withAuditOptions(command: Command, examples: readonly string[], explanation?: string): Command {
  const takesMoment = command.options.some((option) => option.attributeName() === "at");
  return withAskOptions(command, {
    ...{ keyOf: "an auditor", examples },
    explanation: takesMoment ? aboutMoments : explanation,
  }).addOption(new Option("--csv", "print comma-separated values").conflicts("json"));
}

/**
 * Asks the service that the options name; on the data folder, as soon as these projections have followed the log. Says
 * behind the answer where it comes from, unless that stands in the answer itself (`json`).
 */
export const withAuditService = <Value>(
  { url, json }: Pick<AuditOptions, "url" | "json">,
  terminal: Terminal,
  projections: readonly string[],
  use: (service: Service) => Promise<Value>,
): Promise<Value> => {
  const restsOn = projections.length === 0 ? undefined : projections;
  return withService(terminal, { url, keyOf: "an auditor", restsOn }, async (service) => {
    const value = await use(service);
    if (json !== true) terminal.note(`Source: ${service.source}`);
    return value;
  });
};

/** The address of a question with these parameters. */
export const addressOf = (question: string, parameters: QueryParameters): string =>
  `/api/audit/${question}?${queryString(parameters)}`;
