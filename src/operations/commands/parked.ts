import { Command } from "commander";
import type { ParkedAnswer, ParkedEventAnswer } from "../verify/verification.js";
import { CliFailure } from "../../cli/cliFailure.js";
import { printResult, renderTable } from "../../cli/output.js";
import { withOperator, withOperatorOptions, type OperatorOptions } from "./operatorService.js";

/** `projections parked`: events that a projection could not apply. */
export function parkedCommand(): Command {
  const named = (command: Command): Command => command.argument("<name>", "the projection");
  const list = named(new Command("list").description("list the events that a projection could not apply")).action(
    listParked,
  );
  const show = named(new Command("show").description("tell everything about a parked event"))
    .argument("<position>", "of the event")
    .action(showParked);
  const retry = named(
    new Command("retry").description("apply parked events again: their scopes are made afresh, in order"),
  )
    .argument("[position]", "of the event (default: all of them)")
    .action(retryParked);
  const discard = named(new Command("discard").description("leave a parked event out for good"))
    .argument("<position>", "of the event")
    .action(discardParked);
  return new Command("parked")
    .description("deal with events that a projection could not apply")
    .addCommand(withOperatorOptions(list, ["projections parked list search"]))
    .addCommand(withOperatorOptions(show, ["projections parked show search 1204"]))
    .addCommand(withOperatorOptions(retry, ["projections parked retry search", "projections parked retry search 1204"]))
    .addCommand(withOperatorOptions(discard, ["projections parked discard search 1204"]));
}

async function listParked(name: string, options: OperatorOptions): Promise<void> {
  const answer = await withOperator(options, (service) => service.parked(name));
  printResult(options.json === true, answer, () => describe(answer));
}

async function showParked(name: string, position: string, options: OperatorOptions): Promise<void> {
  const { parked } = await withOperator(options, (service) => service.parked(name));
  const event = parked.find((candidate) => candidate.position === position);
  if (event === undefined) throw new CliFailure(`No event at position ${position} is parked in ${name}.`);
  printResult(options.json === true, event, () => describeOne(event));
}

async function retryParked(name: string, position: string | undefined, options: OperatorOptions): Promise<void> {
  const answer = await withOperator(options, (service) => service.retry(name, position ?? null));
  printResult(options.json === true, answer, () => describe(answer));
  if (answer.parked.length > 0) throw new CliFailure("Events are still parked; the list says why.");
}

async function discardParked(name: string, position: string, options: OperatorOptions): Promise<void> {
  const answer = await withOperator(options, (service) => service.discard(name, position));
  printResult(options.json === true, answer, () => describe(answer));
}

function describe({ projection, version, parked }: ParkedAnswer): string {
  if (parked.length === 0) return `Nothing is parked in version ${version} of ${projection}.`;
  return renderTable(
    ["POSITION", "EVENT", "STREAM", "FAILS CLOSED", "ERROR"],
    parked.map(({ position, event, stream, scope, error }) => [position, event, stream, scope, error]),
  );
}

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
