import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Extraction, FileToExtract } from "../../../../commands/ports.js";
import { FrameAssembly, frameHead, type Frame } from "./frames.js";
import {
  channel,
  toAnswer,
  type FileHeader,
  type ReadingState,
  type ReadingTerms,
  whyEnded,
  type Ending,
} from "./messages.js";

interface ReadingProcessOptions extends ReadingTerms {
  /** What the process runs: it calls `serveFiles`. */
  readonly entry: URL;
  readonly timeoutMs: number;
}

/** What came of a file: it was read, or the process ended over it. */
export type Read = { readonly extraction: Extraction } | { readonly ending: Ending };

const mebibyte = 1_048_576;
/** What is written in one turn of the event loop: about a millisecond's work. */
const sliceBytes = 262_144;

const longestHeader = 2 * mebibyte;
/** The bytes of a UTF-16 unit in UTF-8, at most. */
const mostBytes = 3;

/** A text up to this size goes on as a string (`CarriedText`). */
const sharedFrom = 262_144;

const keptErrorOutput = 4_096;
const noBytes = new Uint8Array();

/** A process that reads one file at a time. Made by the service, and ended with it, whatever ends that. */
export class ReadingProcess {
  filesRead = 0;
  /** What it held when it last said so. */
  rssBytes = 0;
  /** Resolves once it can be given a file, or has ended before. */
  private readonly started: Promise<void>;
  private readonly child: ChildProcess;
  private readonly socket: Socket;
  /** Resolves once it has ended. */
  readonly ended: Promise<void>;
  private begun = (): void => undefined;
  private answered: ((read: Read) => void) | null = null;
  /** Why it was ended from here; null: it was not. */
  private cause: Ending | null = null;
  private hasBegun = false;
  private hasEnded = false;
  private errorOutput = "";

  constructor(private readonly options: ReadingProcessOptions) {
    this.child = start(options);
    this.socket = this.child.stdio[channel] as Socket;
    this.started = new Promise((resolve) => (this.begun = resolve));
    this.ended = new Promise((resolve) => {
      this.child.once("error", () => this.noteEnd(resolve));
      this.child.once("close", () => this.noteEnd(resolve));
    });
    this.listen();
  }

  get id(): number | undefined {
    return this.child.pid;
  }

  /** Whether it can be given another file. */
  get isAlive(): boolean {
    return !this.hasEnded && this.cause === null;
  }

  async read({ content, ...said }: FileToExtract): Promise<Read> {
    await this.started;
    if (!this.isAlive) return { ending: this.cause ?? (this.hasBegun ? "crashed" : "notStarted") };
    const answer = new Promise<Read>((resolve) => (this.answered = resolve));
    const timer = setTimeout(() => this.end("time"), this.options.timeoutMs);
    // Whatever becomes of the sending, there is an answer or an end.
    if (content instanceof Uint8Array) void this.send(said, content);
    else void this.send({ ...said, path: content.path }, noBytes);
    const read = await answer;
    clearTimeout(timer);
    return read;
  }

  /** Ends it, whatever it is at, and resolves once it has ended. */
  end(cause: Ending): Promise<void> {
    this.cause ??= cause;
    this.child.kill("SIGKILL");
    return this.ended;
  }

  private listen(): void {
    const limits = { headerBytes: longestHeader, bytes: mostBytes * this.options.limits.maxCharacters, sharedFrom };
    const frames = new FrameAssembly(
      limits,
      (frame) => this.take(frame),
      () => void this.end("crashed"),
    );
    this.socket.on("data", (chunk) => frames.add(chunk));
    // Whatever is wrong with the connection, the process is about to end.
    this.socket.on("error", () => undefined);
    this.child.stderr?.setEncoding("latin1").on("data", (text: string) => {
      this.errorOutput = (this.errorOutput + text).slice(-keptErrorOutput);
    });
  }

  private take({ header, bytes }: Frame): void {
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.note(header as ReadingState);
      return this.begun();
    }
    const answer = this.answered === null ? null : toAnswer(header, bytes.byteLength);
    if (answer === null) return void this.end("crashed");
    this.filesRead++;
    this.note(answer);
    this.settle({
      extraction: answer.answer.kind === "text" ? { ...answer.answer, text: carried(bytes) } : answer.answer,
    });
  }

  private note({ rssBytes }: ReadingState): void {
    this.rssBytes = rssBytes;
  }

  private settle(read: Read): void {
    this.answered?.(read);
    this.answered = null;
  }

  private noteEnd(resolve: () => void): void {
    this.hasEnded = true;
    this.socket.destroy();
    this.begun();
    this.settle({ ending: this.cause ?? whyEnded(this.errorOutput) });
    resolve();
  }

  private async send(header: FileHeader, bytes: Uint8Array): Promise<void> {
    this.socket.cork();
    this.socket.write(frameHead(header, bytes.byteLength));
    // The head and what comes first leave together.
    process.nextTick(() => this.socket.uncork());
    for (let at = 0; at < bytes.byteLength; at += sliceBytes) {
      // What the system takes at once is reported at once: without a turn, a hundred megabytes would be one.
      if (at > 0) await nextTurn();
      if (this.socket.destroyed) return;
      if (!this.socket.write(bytes.subarray(at, at + sliceBytes))) await this.drained();
    }
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.socket.off("drain", done).off("close", done);
        resolve();
      };
      this.socket.once("drain", done).once("close", done);
    });
  }
}

function start({ entry, limits, memoryBytes }: ReadingProcessOptions): ChildProcess {
  const terms = JSON.stringify({ limits, memoryBytes } satisfies ReadingTerms);
  const heap = `--max-old-space-size=${Math.ceil(memoryBytes / mebibyte)}`;
  return spawn(process.execPath, [heap, "--expose-gc", fileURLToPath(entry), terms], {
    // No credential can leak through what reads files.
    env: {},
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    windowsHide: true,
  });
}

const carried = (bytes: Uint8Array): Uint8Array | string =>
  bytes.byteLength > sharedFrom ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
