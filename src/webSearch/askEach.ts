import { untilAborted } from "./untilAborted.js";

/** What came of a query. */
export interface Answered<Answer> {
  readonly query: string;
  readonly answer: Answer;
}

export interface Asking<Answer> {
  ask(query: string, signal: AbortSignal): Promise<Answer>;
  /** Whether an answer holds anything to show. */
  holdsSomething(answer: Answer): boolean;
  /** From then on nobody waits for a query any more, where another one has brought something. */
  readonly othersWithinMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks every query at once. What fails costs the others nothing. Rejects with what the first failure was where nothing
 * was found, since nobody can tell then that there is nothing.
 */
export const askEach = <Answer>(
  queries: readonly string[],
  { ask, holdsSomething, othersWithinMs, signal }: Asking<Answer>,
): Promise<readonly Answered<Answer>[]> =>
  untilAborted([signal], async (until) => {
    let [isLate, isSomethingThere] = [false, false];
    const leaveOthers = (): void => {
      if (isLate && isSomethingThere) until.abort();
    };
    const timer = setTimeout(() => {
      isLate = true;
      leaveOthers();
    }, othersWithinMs);
    const asked = queries.map(async (query) => {
      const answer = await ask(query, until.signal);
      isSomethingThere ||= holdsSomething(answer);
      leaveOthers();
      return { query, answer };
    });
    const outcomes = await Promise.allSettled(asked);
    clearTimeout(timer);
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined && !isSomethingThere) throw failure.reason;
    return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  });
