import { SingleBar } from "cli-progress";
import type { ProjectionsAnswer, ProjectionStatus, VersionProgress } from "../../readModels/projectionStatus.js";
import type { Service } from "../../cli/service.js";
import type { Terminal } from "../../cli/terminal.js";
import { delay } from "../../shared/waiting.js";
import { amountInWords, bytesInWords, durationInWords, statusOf } from "./status.js";

const lookMs = 300;

/** How the building of a version ended. */
export type Outcome =
  | { readonly kind: "served"; readonly status: ProjectionStatus }
  /** It differs from the one that is served, and nobody has accepted that. */
  | { readonly kind: "differs"; readonly status: ProjectionStatus; readonly progress: VersionProgress }
  | { readonly kind: "dropped"; readonly status: ProjectionStatus };

/** Waits for the version that is under way, with a progress bar on a terminal. */
export async function watchVersion(service: Service, name: string, terminal: Terminal): Promise<Outcome> {
  const bar = new VersionBar(name, terminal);
  try {
    return await untilOver(service, name, bar, terminal.interrupted);
  } finally {
    bar.stop();
  }
}

async function untilOver(service: Service, name: string, bar: VersionBar, signal: AbortSignal): Promise<Outcome> {
  let version: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const answer = await service.projections();
    const status = statusOf(answer, name);
    const { under_way: progress } = status;
    if (progress === null)
      return { kind: version === null || status.version === version ? "served" : "dropped", status };
    version = progress.version;
    if (progress.phase === "waiting_for_accept") return { kind: "differs", status, progress };
    bar.show(progress, status.version, answer);
    await delay(lookMs, signal);
  }
}

/** A bar on stderr, where that is a terminal. */
class VersionBar {
  private bar: SingleBar | null = null;

  constructor(
    private readonly name: string,
    private readonly terminal: Terminal,
  ) {}

  show(underWay: VersionProgress, live: number, answer: ProjectionsAnswer): void {
    if (!this.terminal.showsProgress) return;
    this.bar ??= this.start(underWay.version);
    this.bar.update(Math.floor(underWay.progress * 100), { what: describe(underWay, live, answer) });
  }

  stop(): void {
    this.bar?.stop();
    this.bar = null;
  }

  private start(version: number): SingleBar {
    this.terminal.note(`Version ${version} of ${this.name}:`);
    const bar = new SingleBar({
      format: "[{bar}] {percentage}%  {what}",
      stream: this.terminal.stderr,
      hideCursor: true,
      clearOnComplete: true,
      barCompleteChar: "=",
      barIncompleteChar: " ",
    });
    bar.start(100, 0, { what: "" });
    return bar;
  }
}

function describe(
  { phase, position, rate, seconds_left: left, kind }: VersionProgress,
  live: number,
  { log, log_unit: unit }: ProjectionsAnswer,
): string {
  if (phase === "comparing") return `built; comparing it with version ${live}`;
  if (phase === "going_over") return "about to be served";
  const done = `${kind === "rebuild" ? "building" : "catching up"}: ${unit === "bytes" ? bytesInWords(Number(position ?? 0)) : Number(position ?? 0).toLocaleString("en")} of ${amountInWords(Number(log), unit)}`;
  return [
    done,
    ...(rate === null ? [] : [`${amountInWords(rate, unit)}/s`]),
    ...(left === null ? [] : [`${durationInWords(left)} left`]),
  ].join(", ");
}
