import { Command, Option } from "commander";
import type { UndoAnswer, UndoSights, UndoStepAnswer } from "../undo/undo.js";
import type { Position } from "../../shared/position.js";
import { parsePosition } from "../../cli/arguments.js";
import { CliFailure, usageFailure } from "../../cli/cliFailure.js";
import { renderTable } from "../../cli/listing.js";
import { askAndPrint, askWithProgress, withAskOptions, type AskOptions } from "../../cli/question.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { counted } from "../../shared/texts.js";

interface UndoOptions extends AskOptions {
  readonly from: Position;
  readonly to: Position;
  readonly credential: string;
  readonly apply?: boolean;
}

/** `undo`: takes back a bad sync. */
export function undoCommand(terminal: Terminal): Command {
  const command = new Command("undo")
    .description("take back what a credential wrote between two positions, by ordinary commands")
    .requiredOption("--from <position>", "of the first event that may be taken back", parsePosition)
    .requiredOption("--to <position>", "of the last one", parsePosition)
    .requiredOption("--credential <id>", "whose writes; `operator` is the command line")
    .option("--apply", "do it (default: say what would be done, and write nothing)")
    .addOption(new Option("--dry-run", "say what would be done, and write nothing: the default").conflicts("apply"))
    .action((options: UndoOptions) => undo(options, terminal));
  return withAskOptions(command, {
    keyOf: "an operator",
    examples: [
      "undo --from 981 --to 1204 --credential pDrRIAPnr1V9",
      "undo --from 981 --to 1204 --credential pDrRIAPnr1V9 --apply",
    ],
  });
}

async function undo(
  { from, to, credential, apply = false, ...options }: UndoOptions,
  terminal: Terminal,
): Promise<void> {
  if (from > to) throw usageFailure("--to: The last position must not stand before the first.");
  const body = { from: from.toString(), to: to.toString(), credential, dry_run: !apply };
  const request = { path: "/api/admin/undo", body, unit: apply ? "% taken back" : "% tried" };
  await askAndPrint<UndoAnswer>(terminal, options, {
    ...{ keyOf: "an operator", restsOn: answersRestOn.everything },
    ask: (service) => askWithProgress(service, request, terminal),
    inWords: describe,
    judge: ({ steps }) => {
      if (steps.some(({ outcome }) => outcome === "refused"))
        throw new CliFailure("Some of it was refused; the table says why.");
    },
  });
}

function describe(answer: UndoAnswer): string {
  const {
    credential,
    from,
    to,
    events,
    steps,
    changed_since: changed,
    not_restorable: lost,
    dry_run: isDry,
    sights,
  } = answer;
  return [
    `${credential} wrote ${counted(events, "event")} from position ${from} to ${to}. ${isDry ? "To be taken back" : "Taken back"}: ${steps.length}.`,
    ...(steps.length === 0
      ? []
      : ["", renderTable(["POSITION", "WHAT", "GAINS", "LOSES", "OUTCOME"], steps.map(rowOf))]),
    ...(sights === null || steps.length === 0 ? [] : ["", ...describeSights(sights)]),
    ...(changed.length === 0
      ? []
      : [
          "",
          "Changed since, and left alone:",
          renderTable(
            ["POSITION", "EVENT", "STREAM", "WHY"],
            changed.map(({ position, event, stream, reason }) => [position, event, stream, reason]),
          ),
        ]),
    ...(lost.length === 0
      ? []
      : [
          "",
          "Cannot be taken back:",
          renderTable(
            ["POSITION", "EVENT", "STREAM", "WHY"],
            lost.map(({ position, event, stream, reason }) => [position, event, stream, reason]),
          ),
        ]),
    ...(isDry && steps.length > 0 ? ["", "Nothing has been written. With --apply it is done."] : []),
  ].join("\n");
}

function describeSights({
  total_gains: gained,
  total_losses: lost,
  total_relation: relation,
  gains,
  losses,
}: UndoSights): string[] {
  const atLeast = relation === "gte" ? "At least: " : "";
  const pairs = [
    ...gains.map(({ user_email: email, document }) => ["sees", email, document]),
    ...losses.map(({ user_email: email, document }) => ["loses", email, document]),
  ];
  const shown = pairs.slice(0, shownSights);
  return [
    `${atLeast}${counted(gained, "time")} a person would see a document again, ${counted(lost, "time")} not any more${pairs.length > shown.length ? `; the first ${shown.length}:` : "."}`,
    ...(shown.length === 0 ? [] : [renderTable(["CHANGE", "PERSON", "DOCUMENT"], shown)]),
  ];
}

/** The rest is in the answer with --json. */
const shownSights = 10;

const rowOf = ({ position, undo: what, gains, loses, outcome, reason }: UndoStepAnswer): string[] => [
  position,
  what,
  gains.join(", "),
  loses.join(", "),
  reason === undefined ? outcome : `${outcome}: ${reason}`,
];
