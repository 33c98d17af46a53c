import { Command } from "commander";
import type { ParkedAnswer, ParkedEventAnswer } from "../parked/parkedEvents.js";
import { CliFailure } from "../../cli/cliFailure.js";
import { groupedByReason } from "../../cli/listing.js";
import { askAndPrint, withAskOptions, type AskOptions } from "../../cli/question.js";
import type { Service } from "../../cli/service.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { projectionAddress, projectionNames } from "./status.js";

/** `projections parked`: events that a projection could not apply. */
export const parkedCommand = (terminal: Terminal): Command =>
  new Command("parked")
    .description("deal with events that a projection could not apply")
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(retryCommand(terminal))
    .addCommand(discardCommand(terminal));

const named = (name: string, description: string): Command =>
  new Command(name).description(description).argument("<name>", projectionNames);

const asOperator = { keyOf: "an operator", restsOn: answersRestOn.everything } as const;

function listCommand(terminal: Terminal): Command {
  const command = named("list", "list the events that a projection could not apply").action(
    (name: string, options: AskOptions) =>
      askAndPrint(terminal, options, { ...asOperator, ask: parkedIn(name), inWords: describe }),
  );
  return withAskOptions(command, { keyOf: "an operator", examples: ["projections parked list search"] });
}

function showCommand(terminal: Terminal): Command {
  const command = named("show", "tell everything about a parked event")
    .argument("<position>", "of the event")
    .action((name: string, position: string, options: AskOptions) =>
      askAndPrint(terminal, options, {
        ...asOperator,
        ask: async (service) => {
          const { parked } = await parkedIn(name)(service);
          const event = parked.find((candidate) => candidate.position === position);
          if (event === undefined) throw new CliFailure(`No event at position ${position} is parked in ${name}.`);
          return event;
        },
        inWords: describeOne,
      }),
    );
  return withAskOptions(command, { keyOf: "an operator", examples: ["projections parked show search 1204"] });
}

function retryCommand(terminal: Terminal): Command {
  const command = named("retry", "apply parked events again: their scopes are made afresh, in order")
    .argument("[position]", "of the event (default: all of them)")
    .action((name: string, position: string | undefined, options: AskOptions) =>
      askAndPrint(terminal, options, {
        ...asOperator,
        ask: post(projectionAddress(name, "parked/retry"), position === undefined ? {} : { position }),
        inWords: describe,
        judge: ({ parked }) => {
          if (parked.length > 0) throw new CliFailure("Events are still parked; the list says why.");
        },
      }),
    );
  const examples = ["projections parked retry search", "projections parked retry search 1204"];
  return withAskOptions(command, { keyOf: "an operator", examples });
}

function discardCommand(terminal: Terminal): Command {
  const command = named("discard", "leave a parked event out for good")
    .argument("<position>", "of the event")
    .action((name: string, position: string, options: AskOptions) => {
      const ask = post(projectionAddress(name, "parked/discard"), { position });
      return askAndPrint(terminal, options, { ...asOperator, ask, inWords: describe });
    });
  return withAskOptions(command, { keyOf: "an operator", examples: ["projections parked discard search 1204"] });
}

const parkedIn =
  (name: string) =>
  (service: Service): Promise<ParkedAnswer> =>
    service.ask({ method: "GET", path: projectionAddress(name, "parked") });

const post =
  (path: string, body: object) =>
  (service: Service): Promise<ParkedAnswer> =>
    service.ask({ method: "POST", path, body });

function describe({ projection, version, parked }: ParkedAnswer): string {
  if (parked.length === 0) return `Nothing is parked in version ${version} of ${projection}.`;
  const entries = parked.map(({ position, event, stream, scope, error }) => ({
    name: `position ${position}: ${event} in ${stream}; fails closed: ${scope}`,
    reason: reasonIn(error, stream),
  }));
  return groupedByReason(entries, maxOfReason).join("\n");
}

/** Events that are named for each reason. */
const maxOfReason = 20;

/** What an error says besides which event it is about. */
const reasonIn = (error: string, stream: string): string =>
  error.replaceAll(stream, "…").replaceAll(/\b(position|revision) \d+/g, "$1 …");

function describeOne({
  position,
  event,
  stream,
  scope,
  error,
  may_be_discarded: mayBeDiscarded,
}: ParkedEventAnswer): string {
  return [
    `${event} at position ${position}, in the stream ${stream}, could not be applied: ${error}`,
    `Until it is, this fails closed: ${scope}.`,
    mayBeDiscarded
      ? "It may be discarded: leaving it out shows less, not more."
      : "It cannot be discarded: leaving it out would let people keep what they have lost, or make answers about the past wrong. Retry it, or rebuild the projection.",
  ].join("\n");
}
