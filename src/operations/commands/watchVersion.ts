import { setTimeout as sleep } from "node:timers/promises";
import { SingleBar } from "cli-progress";
import type { ProjectionsAnswer, ProjectionStatus, VersionProgress } from "../../readModels/projectionStatus.js";
import { note } from "../../cli/output.js";
import { amountInWords, bytesInWords, durationInWords } from "./amounts.js";
import { statusOf, type ProjectionsService } from "./projectionsService.js";

const lookMs = 300;

/** How the building of a version ended. */
export type Outcome =
  | { readonly kind: "served"; readonly status: ProjectionStatus }
  /** It differs from the one that is served, and nobody has accepted that. */
  | { readonly kind: "differs"; readonly status: ProjectionStatus; readonly progress: VersionProgress }
  | { readonly kind: "dropped"; readonly status: ProjectionStatus };

/**
 * Waits for the version that is under way, with a progress bar on a terminal, and does the work where nobody else does.
 */
export async function watchVersion(
  projections: ProjectionsService,
  name: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const stopping = new AbortController();
  const bar = new VersionBar(name);
  const working = projections.workBeside(name, AbortSignal.any([signal, stopping.signal]));
  // Its failure is thrown below, not by nobody.
  working.catch(() => undefined);
  try {
    return await Promise.race([
      untilOver(projections, name, bar, signal),
      working.then(() => untilOver(projections, name, bar, signal)),
    ]);
  } finally {
    bar.stop();
    stopping.abort();
    await working;
  }
}

async function untilOver(
  projections: ProjectionsService,
  name: string,
  bar: VersionBar,
  signal: AbortSignal,
): Promise<Outcome> {
  let version: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const answer = await projections.list();
    const status = statusOf(answer, name);
    const { under_way: progress } = status;
    if (progress === null)
      return { kind: version === null || status.version === version ? "served" : "dropped", status };
    version = progress.version;
    if (progress.phase === "waiting_for_accept") return { kind: "differs", status, progress };
    bar.show(progress, status.version, answer);
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

/** A bar on stderr, where that is a terminal. */
class VersionBar {
  private bar: SingleBar | null = null;

  constructor(private readonly name: string) {}

  show(underWay: VersionProgress, live: number, answer: ProjectionsAnswer): void {
    if (!process.stderr.isTTY) return;
    this.bar ??= this.start(underWay.version);
    this.bar.update(Math.floor(underWay.progress * 100), { what: describe(underWay, live, answer) });
  }

  stop(): void {
    this.bar?.stop();
    this.bar = null;
  }

  private start(version: number): SingleBar {
    note(`Version ${version} of ${this.name}:`);
    const bar = new SingleBar({
      format: "[{bar}] {percentage}%  {what}",
      stream: process.stderr,
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
