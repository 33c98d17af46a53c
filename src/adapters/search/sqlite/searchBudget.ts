export interface SearchBudgetOptions {
  /** In how many of the person's documents a search looks for phrases of common words, all of its phrases together. */
  readonly phraseDocuments: number;
  /** After so many milliseconds a search reads nothing more that it does not have in memory. */
  readonly budgetMs: number;
  /** Tells the time in milliseconds; the clock of the process where left out. */
  readonly now?: () => number;
}

/** What searches may cost where nothing else is said. */
export const usualBudget: SearchBudgetOptions = { phraseDocuments: 100_000, budgetMs: 100 };

/** What one search may cost. What it leaves out for that makes its answer partial. */
export class SearchBudget {
  private readonly deadline: number;
  private hasLeftOut = false;
  private hasRunOut = false;

  /** @param phrases how many phrases there are to be looked for. */
  constructor(
    private readonly options: SearchBudgetOptions,
    private readonly phrases: number,
  ) {
    this.deadline = this.now() + options.budgetMs;
  }

  /** In how many of the person's documents that hold its rarest word a phrase is looked for, the newest first. */
  get documentsPerPhrase(): number {
    return Math.ceil(this.options.phraseDocuments / Math.max(1, this.phrases));
  }

  get isOver(): boolean {
    const isOver = this.now() > this.deadline;
    this.hasRunOut ||= isOver;
    return isOver;
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
}
