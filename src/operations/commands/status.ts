import { Command } from "commander";
import type {
  BulkRemoval,
  ProjectionError,
  ProjectionsAnswer,
  ProjectionStatus,
  StoredSize,
  VersionProgress,
} from "../../readModels/projectionStatus.js";
import { delay } from "../../shared/waiting.js";
import { renderTable } from "../../cli/listing.js";
import type { Terminal } from "../../cli/terminal.js";
import { withAskOptions, type AskOptions } from "../../cli/question.js";
import { CliFailure } from "../../cli/cliFailure.js";
import { withService } from "../../cli/service.js";
import { counted } from "../../shared/texts.js";
import {
  type ComparedAspect,
  type ComparedDifference,
  type ComparisonSummary,
  projectionKinds,
  readModelNames,
} from "../../events/projection.js";

interface StatusOptions extends AskOptions {
  readonly watch?: boolean;
}

type LogUnit = ProjectionsAnswer["log_unit"];

const everyMs = 1_000;
/** Rates are told from two looks. */
const betweenLooksMs = 300;

/** `projections status`: where projections stand. */
export function statusCommand(terminal: Terminal): Command {
  const command = new Command("status")
    .description("tell where projections stand: versions, position, lag, rate, parked events, what is under way")
    .option("--watch", "look again every second, until Ctrl-C; with --json one JSON object a line")
    .action((options: StatusOptions) => printStatus(options, terminal));
  return withAskOptions(command, {
    keyOf: "an operator",
    examples: ["projections status", "projections status --watch", "projections status --json"],
  });
}

async function printStatus({ watch = false, url, ...options }: StatusOptions, terminal: Terminal): Promise<void> {
  await withService(terminal, { url, keyOf: "an operator" }, async (service) => {
    const { interrupted } = terminal;
    try {
      await service.projections();
      await delay(betweenLooksMs, interrupted);
      for (;;) {
        const answer = await service.projections();
        if (watch && options.json !== true) terminal.clearScreen();
        terminal.print(options.json === true ? JSON.stringify(answer) : renderStatus(answer));
        if (!watch) return;
        await delay(everyMs, interrupted);
      }
    } catch (error) {
      // A process that watches has to stop somewhere.
      if (!interrupted.aborted) throw error;
    }
  });
}

const head = ["NAME", "STATE", "VERSION", "POSITION", "BEHIND", "SECONDS", "RATE", "PARKED", "SIZE", "KEPT"];

function renderStatus({ log, log_unit: unit, projections, bulk_removals: removals }: ProjectionsAnswer): string {
  const notes = projections.flatMap(({ name, version, under_way: underWay, last_error: error }) => [
    ...(underWay === null ? [] : [`${name}: ${describeProgress(underWay, unit)}`, ...differencesOf(underWay, version)]),
    ...(underWay === null || underWay.last_error === null
      ? []
      : [`${name}, version ${underWay.version}: ${describeError(underWay.last_error)}`]),
    ...(error === null ? [] : [`${name}: ${describeError(error)}`]),
  ]);
  const bulks = (removals ?? []).map(describeRemoval);
  return [
    `The log ends at position ${log}.`,
    "",
    renderTable(
      head,
      projections.map((projection) => rowOf(projection, unit)),
    ),
    ...(notes.length === 0 ? [] : ["", ...notes]),
    ...(bulks.length === 0 ? [] : ["", ...bulks]),
  ].join("\n");
}

const rowOf = (
  { name, state, version, position, lag, rate, parked, size, kept }: ProjectionStatus,
  unit: LogUnit,
): string[] => [
  name,
  state,
  String(version),
  position ?? "?",
  lag === null ? "?" : `${lag.events}${lag.or_more ? "+" : ""}`,
  lag === null ? "?" : String(lag.seconds),
  rate === null ? "-" : `${amountInWords(rate, unit)}/s`,
  parked === null ? "?" : String(parked),
  size === null ? "-" : sizeInWords(size),
  kept.map((other) => other.version).join(", ") || "-",
];

const sizeInWords = ({ amount, unit }: StoredSize): string =>
  unit === "bytes" ? bytesInWords(amount) : counted(amount, "document");

const describeError = ({ at, message, recovered_at: recovered }: ProjectionError): string =>
  recovered === null ? `${message} (${at})` : `goes on since ${recovered}, after ${at}: ${message}`;

/** The differences, while they keep a version from being served. */
function differencesOf({ phase, comparison, version }: VersionProgress, live: number): readonly string[] {
  const differences =
    comparison === null || phase !== "waiting_for_accept" ? "" : renderDifferences(comparison, live, version);
  return differences === "" ? [] : [differences];
}

const describeRemoval = ({ datasource, credential, from, to, documents, grants }: BulkRemoval): string =>
  `${credential} removed ${documents.removed} of ${counted(documents.of, "document")} and ${grants.removed} of ${counted(grants.of, "grant")} of ${datasource}. If that was a mistake: undo --from ${from} --to ${to} --credential ${credential}`;

function describeProgress(
  { version, kind, phase, progress, rate, seconds_left: left, comparison }: VersionProgress,
  unit: LogUnit,
): string {
  const percent = `${Math.floor(progress * 100)}%`;
  const speed = rate === null ? "" : `, ${amountInWords(rate, unit)}/s`;
  const remaining = left === null ? "" : `, about ${durationInWords(left)} left`;
  if (phase === "waiting_for_accept")
    return `version ${version} differs in ${comparison?.differences ?? 0} of ${comparison?.compared ?? 0} and waits to be accepted or dropped`;
  if (phase === "comparing") return `version ${version} is built and being compared`;
  if (phase === "going_over") return `version ${version} is about to be served`;
  return `version ${version} ${kind === "rebuild" ? "is being built" : "catches up"}: ${percent}${speed}${remaining}`;
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;
const step = 1_024;

/** Bytes as people read them: `12.3 MiB`. */
export function bytesInWords(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / Math.log2(step)));
  return power === 0 ? `${bytes} bytes` : `${(bytes / step ** power).toFixed(1)} ${units[power]}`;
}

/** Positions of the log: events, or bytes of it. */
export const amountInWords = (amount: number, unit: ProjectionsAnswer["log_unit"]): string =>
  unit === "bytes" ? bytesInWords(amount) : counted(amount, "event");

/** A duration as `45 s`, `12 min` or `3 h 5 min`. */
export function durationInWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What two versions were compared in, each kind with its counts, and some of what differs. */
export function renderComparison(comparison: ComparisonSummary | null, live: number, next: number): string {
  if (comparison === null) return "";
  const rows = comparison.kinds.map(({ kind, compared, differences }) => [kind, String(compared), String(differences)]);
  const differences = renderDifferences(comparison, live, next);
  return [renderTable(["WHAT", "COMPARED", "DIFFERENT"], rows), ...(differences === "" ? [] : ["", differences])].join(
    "\n",
  );
}

/**
 * Some of what differs, of each kind; empty where nothing does, and of comparisons that were made before it was written
 * down.
 */
function renderDifferences(
  { differences: total, examples = [] }: ComparisonSummary,
  live: number,
  next: number,
): string {
  if (examples.length === 0) return "";
  const table = renderTable(
    ["KIND", "WHAT", "DIFFERENCE"],
    examples.flatMap((example) => rowsOf(example, live, next)),
  );
  return examples.length === total ? table : `${table}\n… and ${total - examples.length} more.`;
}

const rowsOf = ({ kind, subject, differs }: ComparedDifference, live: number, next: number): string[][] =>
  differs.map((aspect) => [kind, subject, sentenceOf(aspect, live, next)]);

function sentenceOf(
  { aspect, live: before, next: after, missing = [], extra = [] }: ComparedAspect,
  live: number,
  next: number,
): string {
  const values = [
    ...(before === undefined ? [] : [`${before ?? "nothing"} in version ${live}`]),
    ...(after === undefined ? [] : [`${after ?? "nothing"} in version ${next}`]),
    ...(missing.length === 0 ? [] : [`only in version ${live}: ${missing.join(", ")}`]),
    ...(extra.length === 0 ? [] : [`only in version ${next}: ${extra.join(", ")}`]),
  ];
  return values.length === 0 ? aspect : `${aspect}: ${values.join("; ")}`;
}

/** How help tells which projections there are. */
export const projectionNames = `the projection: ${Object.keys(projectionKinds).join(", ")}`;

/** And those that have versions, and can be compared with the log: a reaction has neither. */
export const namesOfReadModels = `the projection: ${readModelNames.join(", ")}`;

/** The address of what can be done with a projection. */
export const projectionAddress = (name: string, action: string): string =>
  `/api/admin/projections/${encodeURIComponent(name)}/${action}`;

/** The status of one projection; fails in a sentence where there is none of this name. */
export function statusOf({ projections }: ProjectionsAnswer, name: string): ProjectionStatus {
  const status = projections.find((candidate) => candidate.name === name);
  if (status !== undefined) return status;
  throw new CliFailure(
    `There is no projection named ${JSON.stringify(name)}. There are: ${projections.map((other) => other.name).join(", ")}.`,
  );
}
