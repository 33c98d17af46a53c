import type { Command } from "commander";
import { parseHttpUrl } from "./arguments.js";
import { CliFailure } from "./cliFailure.js";
import { withService, type AskedService, type Service } from "./service.js";
import { linesIn, ProgressLine, type Terminal } from "./terminal.js";

/** What every command that asks a service takes besides its own options. */
export interface AskOptions {
  /** Address of a service that runs; left out: one on the data folder. */
  readonly url?: string;
  readonly json?: boolean;
}

interface AskHelp {
  /** The role whose key a running service takes; left out: the command works on the data folder alone. */
  readonly keyOf?: AskedService["keyOf"];
  /** What people read below the options. */
  readonly explanation?: string;
  /** Commands as people type them, without the program's name. */
  readonly examples: readonly string[];
  /** What `--json` prints; default: one JSON object. */
  readonly json?: string;
}

/** Adds the options of {@link AskOptions}, and what help says below them. */
export function withAskOptions(
  command: Command,
  { keyOf, explanation, examples, json = "print one JSON object" }: AskHelp,
): Command {
  if (keyOf !== undefined)
    command.option(
      "--url <address>",
      `use a running service, with the key of ${keyOf} in ENTERPRISE_SEARCH_KEY, instead of the data folder`,
      parseHttpUrl,
    );
  return command.option("--json", json).addHelpText("after", helpBelow(explanation, examples));
}

/** An explanation, and examples below it. */
function helpBelow(explanation: string | undefined, examples: readonly string[]): string {
  const head = examples.length === 1 ? "Example:" : "Examples:";
  const lines = [head, ...examples.map((example) => `  enterprise-search ${example}`)];
  return `${explanation === undefined ? "" : `\n${explanation}\n`}\n${lines.join("\n")}`;
}

/** Parameters of a query string by name; those that are undefined are left out. */
export type QueryParameters = Readonly<Record<string, string | undefined>>;

export const queryString = (parameters: QueryParameters): string =>
  new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();

/** What a command asks a service, and how it says the answer. */
export interface Question<Answer extends object> extends Omit<AskedService, "url"> {
  ask(service: Service): Promise<Answer>;
  /** For people: with `--json` the answer is printed as it is. */
  inWords(answer: Answer): string;
  /** What people want to know besides, on stderr. */
  note?(answer: Answer): string | null;
  /** Throws where the answer is no success. */
  judge?(answer: Answer): void;
}

/** Asks the service that the options name, and prints its answer. */
export async function askAndPrint<Answer extends object>(
  terminal: Terminal,
  { url, json = false }: AskOptions,
  { ask, inWords, note, judge, ...asked }: Question<Answer>,
): Promise<void> {
  const answer = await withService(terminal, { ...asked, url }, ask);
  terminal.printResult(json, answer, () => inWords(answer));
  const said = json ? null : (note?.(answer) ?? null);
  if (said !== null) terminal.note(said);
  judge?.(answer);
}

/** A request whose answer may take minutes. */
interface LongRequest {
  readonly path: string;
  readonly body: object;
  /** What the progress line calls a hundredth of it, such as `% compared`. */
  readonly unit: string;
}

interface ProgressOr<Answer> {
  /** `done`: 0 to 1. */
  readonly progress?: { readonly done?: number };
  readonly answer?: Answer;
  readonly failure?: { readonly status: number; readonly detail: string };
}

/** Asks, and shows how far the service is until the answer is there. */
export async function askWithProgress<Answer>(
  service: Service,
  { path, body, unit }: LongRequest,
  terminal: Terminal,
): Promise<Answer> {
  const line = new ProgressLine(terminal, unit);
  let shown = 0;
  line.start(100);
  try {
    const lines = await service.stream({ method: "POST", path, body, accept: "application/x-ndjson" });
    for await (const text of linesIn(lines)) {
      const { progress, answer, failure } = JSON.parse(text) as ProgressOr<Answer>;
      if (answer !== undefined) return answer;
      if (failure !== undefined) throw new CliFailure(failure.detail);
      const percent = Math.floor(100 * (progress?.done ?? 0));
      line.advance(percent - shown);
      shown = percent;
    }
  } finally {
    line.stop();
  }
  throw new CliFailure("The answer broke off before its last line. Run the command again.");
}
