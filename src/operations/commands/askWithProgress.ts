import { CliFailure } from "../../cli/cliFailure.js";
import { linesIn } from "../../cli/lines.js";
import { ProgressLine } from "../../cli/progressLine.js";
import type { Service } from "../../cli/service.js";
import type { Terminal } from "../../cli/terminal.js";

/** A request whose answer may take minutes. */
export interface LongRequest {
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
