import { Command } from "commander";
import { projectionNames } from "./status.js";
import type { ParkedAnswer, ParkedEventAnswer } from "../parked/parkedEvents.js";
import { CliFailure } from "../../cli/cliFailure.js";
import { groupedByReason } from "../../cli/output.js";
import type { Terminal } from "../../cli/terminal.js";
import { projectionAddress, withOperator, withOperatorOptions, type OperatorOptions } from "./operatorService.js";

/** `projections parked`: events that a projection could not apply. */
export function parkedCommand(terminal: Terminal): Command {
  const named = (command: Command): Command => command.argument("<name>", projectionNames);
  const list = named(new Command("list").description("list the events that a projection could not apply")).action(
    (name: string, options: OperatorOptions) => listParked(name, options, terminal),
  );
  const show = named(new Command("show").description("tell everything about a parked event"))
    .argument("<position>", "of the event")
    .action((name: string, position: string, options: OperatorOptions) =>
      showParked(name, position, options, terminal),
    );
  const retry = named(
    new Command("retry").description("apply parked events again: their scopes are made afresh, in order"),
  )
    .argument("[position]", "of the event (default: all of them)")
    .action((name: string, position: string | undefined, options: OperatorOptions) =>
      retryParked(name, position, options, terminal),
    );
  const discard = named(new Command("discard").description("leave a parked event out for good"))
    .argument("<position>", "of the event")
    .action((name: string, position: string, options: OperatorOptions) =>
      discardParked(name, position, options, terminal),
    );
  return new Command("parked")
    .description("deal with events that a projection could not apply")
    .addCommand(withOperatorOptions(list, ["projections parked list search"]))
    .addCommand(withOperatorOptions(show, ["projections parked show search 1204"]))
    .addCommand(withOperatorOptions(retry, ["projections parked retry search", "projections parked retry search 1204"]))
    .addCommand(withOperatorOptions(discard, ["projections parked discard search 1204"]));
}

const parkedIn = (name: string, options: OperatorOptions, terminal: Terminal): Promise<ParkedAnswer> =>
  withOperator(options, terminal, "caughtUp", (service) =>
    service.ask({ method: "GET", path: projectionAddress(name, "parked") }),
  );

async function listParked(name: string, options: OperatorOptions, terminal: Terminal): Promise<void> {
  const answer = await parkedIn(name, options, terminal);
  terminal.printResult(options.json === true, answer, () => describe(answer));
}

async function showParked(name: string, position: string, options: OperatorOptions, terminal: Terminal): Promise<void> {
  const { parked } = await parkedIn(name, options, terminal);
  const event = parked.find((candidate) => candidate.position === position);
  if (event === undefined) throw new CliFailure(`No event at position ${position} is parked in ${name}.`);
  terminal.printResult(options.json === true, event, () => describeOne(event));
}

async function retryParked(
  name: string,
  position: string | undefined,
  options: OperatorOptions,
  terminal: Terminal,
): Promise<void> {
  const body = position === undefined ? {} : { position };
  const answer = await withOperator(options, terminal, "caughtUp", (service) =>
    service.ask<ParkedAnswer>({ method: "POST", path: projectionAddress(name, "parked/retry"), body }),
  );
  terminal.printResult(options.json === true, answer, () => describe(answer));
  if (answer.parked.length > 0) throw new CliFailure("Events are still parked; the list says why.");
}

async function discardParked(
  name: string,
  position: string,
  options: OperatorOptions,
  terminal: Terminal,
): Promise<void> {
  const answer = await withOperator(options, terminal, "caughtUp", (service) =>
    service.ask<ParkedAnswer>({
      method: "POST",
      path: projectionAddress(name, "parked/discard"),
      body: { position },
    }),
  );
  terminal.printResult(options.json === true, answer, () => describe(answer));
}

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
