import { SingleBar } from "cli-progress";

/** A progress bar on stderr, where that is a terminal; elsewhere nothing but the remarks. */
export class ProgressLine {
  private bar: SingleBar | null = null;
  private lastRemark = "";

  constructor(private readonly unit: string) {}

  start(total: number): void {
    if (!process.stderr.isTTY || total === 0) return;
    const format = `[{bar}] {percentage}%  {value}/{total} ${this.unit}  {duration_formatted}`;
    this.bar = new SingleBar({
      format,
      stream: process.stderr,
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
    process.stderr.write(this.bar === null ? `${text}\n` : `\r\u001b[K${text}\n`);
  }

  stop(): void {
    this.bar?.stop();
    this.bar = null;
  }
}
