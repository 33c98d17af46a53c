/** What the process of an asker is asked to do, until it is sent `stop`. */
export interface AskOrder {
  readonly url: string;
  readonly key: string;
}

/** Milliseconds that each answer took to come. */
export interface AskReport {
  readonly live: readonly number[];
  readonly search: readonly number[];
}
