import { SingleBar } from "cli-progress";
import type { Terminal } from "./terminal.js";

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
