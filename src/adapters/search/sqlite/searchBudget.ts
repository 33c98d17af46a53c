import { openSync, readSync } from "node:fs";

export interface SearchBudgetOptions {
  /** In how many of the person's documents a search looks for phrases of common words, all of its phrases together. */
  readonly phraseDocuments: number;
  /**
   * After so many milliseconds a search reads nothing more that it does not have in memory. How long its thread waited
   * for a processor does not count: how busy a machine is with other things is not the search's doing.
   */
  readonly budgetMs: number;
  /** Tells the time in milliseconds; the clock of the process where left out. */
  readonly now?: () => number;
  /**
   * Tells how long this thread has waited for a processor, in milliseconds; what the system counts where both are left
   * out.
   */
  readonly waited?: () => number;
}

/** What searches may cost where nothing else is said. */
export const usualBudget: SearchBudgetOptions = { phraseDocuments: 100_000, budgetMs: 100 };

/** What one search may cost. What it leaves out for that makes its answer partial. */
export class SearchBudget {
  private readonly begunAt: number;
  private readonly waitedBefore: number;
  private hasLeftOut = false;
  private hasRunOut = false;

  /** @param phrases how many phrases there are to be looked for. */
  constructor(
    private readonly options: SearchBudgetOptions,
    private readonly phrases: number,
  ) {
    this.begunAt = this.now();
    this.waitedBefore = this.waited();
  }

  /** In how many of the person's documents that hold its rarest word a phrase is looked for, the newest first. */
  get documentsPerPhrase(): number {
    return Math.ceil(this.options.phraseDocuments / Math.max(1, this.phrases));
  }

  get isOver(): boolean {
    const taken = this.now() - this.begunAt;
    const { budgetMs } = this.options;
    this.hasRunOut ||= taken > budgetMs && taken - (this.waited() - this.waitedBefore) > budgetMs;
    return this.hasRunOut;
  }

  /** Whether something was left out because there was no time for it: asking again gets further. */
  get isCutShort(): boolean {
    return this.hasLeftOut && this.hasRunOut;
  }

  /** Notes that the answer will be partial. */
  leaveOut(): void {
    this.hasLeftOut = true;
  }

  get isPartial(): boolean {
    return this.hasLeftOut;
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }

  private waited(): number {
    const { now, waited } = this.options;
    return waited?.() ?? (now === undefined ? waitedForProcessor() : 0);
  }
}

/** Linux tells of each thread how long it ran and how long it waited to run, in nanoseconds. */
const schedule = openSchedule();
const line = Buffer.alloc(128);

/** The schedule of the thread that loads this module; null where the system has none. */
function openSchedule(): number | null {
  try {
    return openSync("/proc/thread-self/schedstat", "r");
  } catch {
    return null;
  }
}

/** How long this thread has waited for a processor, in milliseconds; 0 where the system does not tell. */
function waitedForProcessor(): number {
  if (schedule === null) return 0;
  const length = readSync(schedule, line, 0, line.length, 0);
  return Number(line.toString("latin1", 0, length).split(" ")[1] ?? 0) / 1e6;
}
