import { Command, InvalidArgumentError, Option } from "commander";
import { categoryOf, streamCategories, type StreamCategory, type StreamName } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import { parsePosition, toUtc } from "../../cli/arguments.js";
import { queryString, withAskOptions, type AskOptions } from "../../cli/question.js";
import { linesIn, type Terminal } from "../../cli/terminal.js";
import { withService } from "../../cli/service.js";

interface EventsOptions extends AskOptions {
  readonly stream?: StreamName;
  readonly category?: StreamCategory;
  readonly from?: Position;
  readonly follow?: boolean;
}

/** `events`: what has happened, from the log. */
export function eventsCommand(terminal: Terminal): Command {
  const command = new Command("events")
    .description("print what has happened, from the log")
    .option("--stream <name>", "only this stream, such as datasource-wiki", parseStream)
    .addOption(new Option("--category <name>", "only streams of this category").choices(streamCategories))
    .option("--from <position>", "from this position on, inclusive (default: the first)", parsePosition)
    .option("--follow", "go on printing as events happen, until Ctrl-C")
    .action((options: EventsOptions) => printEvents(options, terminal));
  return withAskOptions(command, {
    keyOf: "an operator",
    json: "print one JSON object; with --follow one per line and event",
    explanation,
    examples: ["events --category datasource", "events --stream datasource-wiki --json", "events --from 1200 --follow"],
  });
}

const explanation = `Streams name a datasource by its id; the column before them by its name.
They are: datasource-{name}, groupGraph-{datasourceId}, groupMembers-{datasourceId},
user-{datasourceId}:{email}, document-{datasourceId}:{documentId}, serviceAccount-{id}, apiKey-{id},
projection-{name}, syncRun-{id}, file-{id}, auditQuestion-{credentialId}, agent-{id}, answer-{id},
account-{email}, session-{id}.
With --json an event has its data too; texts of documents and secrets are in no event.`;

/** An event, as the API tells of it. */
interface ToldEvent {
  readonly position: string;
  readonly at: string;
  readonly stream: string;
  readonly datasource: string | null;
  readonly revision: number;
  readonly type: string;
  readonly by: string;
}

async function printEvents(options: EventsOptions, terminal: Terminal): Promise<void> {
  const format = formatFor(options);
  await withService(terminal, { url: options.url, keyOf: "an operator" }, async (service) => {
    const lines = linesIn(await service.stream({ method: "GET", path: `/api/admin/events?${selectionOf(options)}` }));
    await terminal.printSteadily(format.before);
    let separator = "";
    try {
      for await (const line of lines) {
        if (line === "") continue;
        await terminal.printSteadily(separator + format.event(line));
        separator = format.between;
      }
    } catch (error) {
      // Following is ended by an interrupt: that is no failure.
      if (options.follow !== true || !terminal.interrupted.aborted) throw error;
    }
    await terminal.printSteadily(format.after);
  });
}

const selectionOf = ({ stream, category, from, follow }: EventsOptions): string =>
  queryString({ stream, category, from: from?.toString(), follow: follow?.toString() });

interface EventFormat {
  readonly before: string;
  /** Takes the line that tells of it. */
  event(line: string): string;
  readonly between: string;
  readonly after: string;
}

function formatFor({ json, follow }: EventsOptions): EventFormat {
  if (json !== true)
    return { before: head, event: (line) => rowOf(JSON.parse(line) as ToldEvent), between: "", after: "" };
  if (follow === true) return { before: "", event: (line) => `${line}\n`, between: "", after: "" };
  return { before: '{"events":[', event: (line) => line, between: ",", after: "]}\n" };
}

interface Row {
  readonly position: string;
  readonly time: string;
  readonly revision: string;
  readonly type: string;
  readonly by: string;
  readonly datasource: string;
  readonly stream: string;
}

/** Columns of fixed width, the widest last: rows are printed as they come. */
const row = ({ position, time, revision, type, by, datasource, stream }: Row): string =>
  `${position.padStart(10)}  ${time.padEnd(23)}  ${revision.padStart(8)}  ${type.padEnd(21)}  ${by.padEnd(12)}  ${datasource.padEnd(16)}  ${stream}\n`;

const head = row({
  position: "POSITION",
  time: "TIME (UTC)",
  revision: "REVISION",
  type: "TYPE",
  by: "BY",
  datasource: "DATASOURCE",
  stream: "STREAM",
});

const rowOf = ({ position, at, revision, type, by, datasource, stream }: ToldEvent): string =>
  row({ position, time: toUtc(at), revision: String(revision), type, by, datasource: datasource ?? "-", stream });

function parseStream(text: string): StreamName {
  const stream = text as StreamName;
  if (streamCategories.includes(categoryOf(stream))) return stream;
  throw new InvalidArgumentError(
    `A stream is named {category}-{id}; the categories are ${streamCategories.join(", ")}.`,
  );
}
