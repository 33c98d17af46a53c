import type { Position } from "../../shared/position.js";

/** About as many documents as become searchable in three seconds: a burst of single ones does not wait. */
const mostDocuments = 10_000;
const longestWaitMs = 1_000;

/** Resolves to true once searches find what was written up to a position, to false after `timeoutMs`. */
export type IsSearchable = (position: Position, timeoutMs: number) => Promise<boolean>;

interface TakenPush {
  readonly position: Position;
  readonly documents: number;
}

/**
 * The documents that this process has taken and searches may not find yet. Pushes are taken several times as fast as
 * they become searchable: without a bound they would take the processors from whoever searches, and the first of them
 * would be found later, not sooner.
 */
export class SearchBacklog {
  private taken: TakenPush[] = [];
  private documents = 0;

  constructor(
    private readonly isSearchable: IsSearchable,
    private readonly capacity = mostDocuments,
  ) {}

  /**
   * Waits while the backlog is over its capacity, until half of it is searchable. After a second without that a push is
   * taken anyway: an index that stands still slows pushes down, and the log keeps them.
   */
  async untilThereIsRoom(): Promise<void> {
    while (this.documents > this.capacity) {
      const middle = this.taken[this.taken.length >> 1];
      if (middle === undefined || !(await this.isSearchable(middle.position, longestWaitMs))) return;
      this.forgetUpTo(middle.position);
    }
  }

  add(push: TakenPush): void {
    this.taken.push(push);
    this.documents += push.documents;
  }

  private forgetUpTo(position: Position): void {
    this.taken = this.taken.filter((push) => push.position > position);
    this.documents = this.taken.reduce((sum, { documents }) => sum + documents, 0);
  }
}
