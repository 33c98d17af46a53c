import { Command, InvalidArgumentError, Option } from "commander";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { categoryOf, streamCategories, type StreamCategory, type StreamName } from "../../events/streams.js";
import { beginning, type Position } from "../../shared/position.js";
import { positionBefore } from "../../shared/readUpTo.js";
import type { OfflineService } from "../../main.js";
import { parsePosition } from "../arguments.js";
import { toUtc } from "../instants.js";
import { withOfflineService } from "../offline.js";
import { printSteadily } from "../output.js";
import { onInterrupt } from "../signals.js";

const maxBatchSize = 500;

interface EventsOptions {
  readonly stream?: StreamName;
  readonly category?: StreamCategory;
  readonly from?: Position;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** `events`: what has happened, from the log. */
export function eventsCommand(): Command {
  return new Command("events")
    .description("print what has happened, from the log")
    .option("--stream <name>", "only this stream, such as datasource-wiki", parseStream)
    .addOption(new Option("--category <name>", "only streams of this category").choices(streamCategories))
    .option("--from <position>", "from this position on, inclusive (default: the first)", parsePosition)
    .option("--follow", "go on printing as events happen, until Ctrl-C")
    .option("--json", "print one JSON object; with --follow one per line and event")
    .addHelpText(
      "after",
      `
Streams: datasource-{name}, groupGraph-{datasourceId}, user-{datasourceId}:{email},
document-{datasourceId}:{documentId}, serviceAccount-{id}, apiKey-{id}, projection-{name}.
With --json an event has its data too; texts of documents and secrets are in no event.

Examples:
  enterprise-search events --category datasource
  enterprise-search events --stream datasource-wiki --json
  enterprise-search events --from 1200 --follow`,
    )
    .action(printEvents);
}

async function printEvents(options: EventsOptions): Promise<void> {
  const signal = onInterrupt();
  const format = formatFor(options);
  await withOfflineService(async ({ source }) => {
    await printSteadily(format.before);
    let separator = "";
    for await (const event of eventsOf(source, options, signal)) {
      await printSteadily(separator + format.event(event));
      separator = format.between;
    }
    await printSteadily(format.after);
  });
}

/** The events that were asked for: up to the log's end as it is now, or on and on. */
async function* eventsOf(
  source: OfflineService["source"],
  { stream, category, from, follow }: EventsOptions,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent> {
  const end = await source.head();
  if (follow !== true && (end === beginning || (from !== undefined && from > end))) return;
  const after = from === undefined ? beginning : await positionBefore(source, from);
  const categories =
    stream !== undefined ? [categoryOf(stream)] : category !== undefined ? [category] : streamCategories;
  for await (const batch of source.subscribe({ after, categories, maxBatchSize, signal })) {
    yield* batch.events.filter(
      (event) =>
        (stream === undefined || event.stream === stream) &&
        event.position >= (from ?? beginning) &&
        (follow === true || event.position <= end),
    );
    if (signal.aborted || (follow !== true && batch.position >= end)) return;
  }
}

interface EventFormat {
  readonly before: string;
  event(event: RecordedEvent): string;
  readonly between: string;
  readonly after: string;
}

function formatFor({ json, follow }: EventsOptions): EventFormat {
  if (json !== true) return { before: head, event: rowOf, between: "", after: "" };
  if (follow === true)
    return { before: "", event: (event) => `${JSON.stringify(describe(event))}\n`, between: "", after: "" };
  return { before: '{"events":[', event: (event) => JSON.stringify(describe(event)), between: ",", after: "]}\n" };
}

interface Row {
  readonly position: string;
  readonly time: string;
  readonly revision: string;
  readonly type: string;
  readonly by: string;
  readonly stream: string;
}

/** Columns of fixed width, the widest last: rows are printed as they come. */
const row = ({ position, time, revision, type, by, stream }: Row): string =>
  `${position.padStart(10)}  ${time.padEnd(23)}  ${revision.padStart(8)}  ${type.padEnd(21)}  ${by.padEnd(12)}  ${stream}\n`;

const head = row({
  position: "POSITION",
  time: "TIME (UTC)",
  revision: "REVISION",
  type: "TYPE",
  by: "BY",
  stream: "STREAM",
});

const rowOf = ({ position, revision, stream, event, metadata }: RecordedEvent): string =>
  row({
    position: String(position),
    time: toUtc(metadata.at),
    revision: String(revision),
    type: event.type,
    by: metadata.by,
    stream,
  });

/** Positions are texts: engines may choose numbers that JSON's readers would round. */
function describe({ id, position, revision, stream, event, metadata }: RecordedEvent): object {
  const { at, by, correlationId, causationId } = metadata;
  const data = Object.fromEntries(Object.entries(event.data).filter(([key]) => key !== "secretSha256"));
  return {
    position: String(position),
    at,
    stream,
    revision,
    type: event.type,
    by,
    id,
    correlation_id: correlationId,
    causation_id: causationId,
    data,
  };
}

function parseStream(text: string): StreamName {
  const stream = text as StreamName;
  if (streamCategories.includes(categoryOf(stream))) return stream;
  throw new InvalidArgumentError(
    `A stream is named {category}-{id}; the categories are ${streamCategories.join(", ")}.`,
  );
}
