import { Command } from "commander";
import type { DifferenceAnswer, DriftAnswer, VerificationAnswer } from "../verify/verification.js";
import { newId } from "../../shared/ids.js";
import { parseCount, parseShare } from "../../cli/arguments.js";
import { CliFailure } from "../../cli/cliFailure.js";
import { renderTable } from "../../cli/listing.js";
import { askAndPrint, askWithProgress, withAskOptions, type AskOptions } from "../../cli/question.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { namesOfReadModels, projectionAddress } from "./status.js";

interface VerifyOptions extends AskOptions {
  readonly sample: number;
  readonly seed?: string;
  readonly repair?: boolean;
  readonly version?: number;
}

/** `projections verify`: is what is served what the log says? */
export function verifyCommand(terminal: Terminal): Command {
  const command = new Command("verify")
    .description(
      "fold the log afresh and compare with what is served; fails where something differs and is not repaired",
    )
    .argument("<name>", namesOfReadModels)
    .option("--sample <part>", "how large a part to look at, such as 0.05; 1 is everything", parseShare, 1)
    .option("--seed <text>", "chooses the part; the same seed chooses it again")
    .option("--repair", "make afresh what differs, and nothing else")
    .option("--version <number>", "the version that is being built, instead of the one that is served", parseCount)
    .action((name: string, options: VerifyOptions) => verify(name, options, terminal));
  return withAskOptions(command, {
    keyOf: "an operator",
    examples: [
      "projections verify groupClosure",
      "projections verify search --sample 0.05 --seed monday",
      "projections verify search --repair",
      "projections verify search --version 2",
    ],
  });
}

async function verify(
  name: string,
  { sample, seed = newId(), repair = false, version, ...options }: VerifyOptions,
  terminal: Terminal,
): Promise<void> {
  const body = { sample, seed, repair, ...(version !== undefined && { version }) };
  const request = { path: projectionAddress(name, "verify"), body, unit: "% compared" };
  await askAndPrint<VerificationAnswer>(terminal, options, {
    ...{ keyOf: "an operator", restsOn: answersRestOn.everything },
    ask: (service) => askWithProgress(service, request, terminal),
    inWords: describe,
    judge: refuseDrift,
  });
}

function refuseDrift({ remaining, drift, complete }: VerificationAnswer): void {
  if ((remaining ?? drift).length === 0 && complete) return;
  throw new CliFailure(
    remaining === null
      ? "Something is served otherwise than the log says. With --repair it is made afresh."
      : "Not everything could be repaired. Build the read model anew: `projections rebuild`.",
  );
}

function describe(answer: VerificationAnswer): string {
  const { projection, version, position, compared, sample, seed, drift, unsettled, suspended, complete, remaining } =
    answer;
  const part =
    sample === 1
      ? "everything that the log ever named, and all that is held"
      : `${Math.round(1_000 * sample) / 10} % of it, chosen by the seed ${seed}`;
  return [
    `Compared ${compared} of version ${version} of ${projection}, as of position ${position}: ${part}.`,
    drift.length === 0
      ? "Everything is served as the log says."
      : `${drift.length}${complete ? "" : " or more"} served otherwise:`,
    ...(drift.length === 0 ? [] : ["", renderTable(["KIND", "WHAT", "DIFFERENCE"], drift.flatMap(rowsOf))]),
    ...(suspended.length === 0
      ? []
      : [
          `Nobody is answered for on ${suspended.join(", ")}: an event is parked. See \`projections parked list ${projection}\`.`,
        ]),
    ...(unsettled.length === 0 ? [] : [`Changed all the time, and so not compared: ${unsettled.join(", ")}.`]),
    ...(remaining === null || drift.length === 0
      ? []
      : [remaining.length === 0 ? "All of it has been repaired." : `${remaining.length} could not be repaired.`]),
  ].join("\n");
}

const rowsOf = ({ kind, subject, differences }: DriftAnswer): string[][] =>
  differences.map((difference) => [kind, subject, sentenceOf(difference)]);

function sentenceOf({ aspect, expected, served, missing = [], extra = [] }: DifferenceAnswer): string {
  if (aspect !== "principals") return `${aspect}: ${expected ?? "nothing"} in the log, ${served ?? "nothing"} served`;
  return [
    missing.length === 0 ? [] : [`without ${missing.join(", ")}`],
    extra.length === 0 ? [] : [`with ${extra.join(", ")}`],
  ]
    .flat()
    .join("; ");
}
