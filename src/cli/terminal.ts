import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { SingleBar } from "cli-progress";
import type { FailureCode } from "./cliFailure.js";

/** What a run of the command line is connected to. */
export interface Connections {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Where settings and keys are taken from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * A signal that aborts when the run is asked to end. A command asks for it at most once, and then has to end by
   * itself; a command that does not ask is simply ended.
   */
  interruption(): AbortSignal;
  /** Ends the process with this code though something in it goes on; left out: it is not one to be ended. */
  abandon?(code: FailureCode): void;
}

/** What a command reads from and prints to. */
export class Terminal {
  /** The exit code where nothing is thrown. */
  exitCode: 0 | FailureCode = 0;
  private readonly connections: Connections;
  private signal: AbortSignal | null = null;

  constructor(connections: Connections) {
    this.connections = connections;
  }

  get environment(): Connections["environment"] {
    return this.connections.environment;
  }

  get stdin(): Readable {
    return this.connections.stdin;
  }

  /** For progress bars, where it {@link showsProgress}. */
  get stderr(): NodeJS.WritableStream {
    return this.connections.stderr;
  }

  /** Aborts when the run is asked to end. From the first time this is read, the command has to end by itself. */
  get interrupted(): AbortSignal {
    return (this.signal ??= this.connections.interruption());
  }

  /** Ends the process though something in it goes on. */
  abandon(code: FailureCode): void {
    this.connections.abandon?.(code);
  }

  /** Whether a person is watching stderr. */
  get showsProgress(): boolean {
    return isTerminal(this.connections.stderr);
  }

  /** Whether there is a person to be asked. */
  get canAsk(): boolean {
    return this.showsProgress && (this.stdin as Partial<NodeJS.ReadStream>).isTTY === true;
  }

  /** Asks the person, who answers with a line; rejects where the run is asked to end meanwhile. */
  async ask(question: string): Promise<string> {
    const { createInterface } = await import("node:readline/promises");
    const lines = createInterface({ input: this.stdin, output: this.connections.stderr });
    try {
      return await lines.question(question, { signal: this.interrupted });
    } catch (error) {
      this.interrupted.throwIfAborted();
      throw error;
    } finally {
      lines.close();
    }
  }

  /** Whether a person is watching stdout. */
  get printsToTerminal(): boolean {
    return isTerminal(this.connections.stdout);
  }

  /** Empties the screen, where stdout is one. */
  clearScreen(): void {
    if (isTerminal(this.connections.stdout)) this.connections.stdout.write("\u001b[2J\u001b[H");
  }

  write(text: string): void {
    this.connections.stdout.write(text);
  }

  writeError(text: string): void {
    this.connections.stderr.write(text);
  }

  /** Writes one line to stdout: a command's result. */
  print(line: string): void {
    this.write(`${line}\n`);
  }

  /** Writes to stdout, no faster than the reader takes it: for output without bounds. */
  async printSteadily(text: string): Promise<void> {
    if (!this.connections.stdout.write(text)) await once(this.connections.stdout, "drain");
  }

  /** Writes one line to stderr: what a person wants to know besides the result. */
  note(line: string): void {
    this.writeError(`${line}\n`);
  }

  /** Prints a command's result: with `--json` as one JSON object and nothing else, otherwise for people. */
  printResult(asJson: boolean, result: object, forPeople: () => string): void {
    this.print(asJson ? JSON.stringify(result) : forPeople());
  }
}

const isTerminal = (stream: Writable): boolean => (stream as Partial<NodeJS.WriteStream>).isTTY === true;

/**
 * The lines of a text that comes in chunks, without their ends. What follows the last end is a line too, where there is
 * anything.
 */
export async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** A progress bar on stderr, where that is a terminal; elsewhere nothing but the remarks. */
export class ProgressLine {
  private bar: SingleBar | null = null;
  private lastRemark = "";

  constructor(
    private readonly terminal: Pick<Terminal, "showsProgress" | "stderr" | "note">,
    private readonly unit: string,
  ) {}

  start(total: number): void {
    if (!this.terminal.showsProgress || total === 0) return;
    const format = `[{bar}] {percentage}%  {value}/{total} ${this.unit}  {duration_formatted}`;
    this.bar = new SingleBar({
      format,
      stream: this.terminal.stderr,
      hideCursor: true,
      clearOnComplete: true,
      barCompleteChar: "=",
      barIncompleteChar: " ",
    });
    this.bar.start(total, 0);
  }

  advance(steps = 1): void {
    this.bar?.increment(steps);
  }

  /** A line beside the bar; the same one is not repeated. */
  remark(text: string): void {
    if (text === this.lastRemark) return;
    this.lastRemark = text;
    this.terminal.note(this.bar === null ? text : `\r\u001b[K${text}`);
  }

  stop(): void {
    this.bar?.stop();
    this.bar = null;
  }
}
