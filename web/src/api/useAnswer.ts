import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { sentenceOf } from "./client.js";

/** What `api.GET(…)` and its like resolve to. */
interface Replied<Data> {
  readonly data?: Data;
  readonly error?: unknown;
}

const unanswered = (error: unknown): { readonly data?: undefined; readonly error: unknown } => ({ error });

/** How a question to the API stands. */
export interface Answer<Data> {
  /** The last answer; it stays while a newer one is asked for. */
  readonly data: Data | null;
  /** What went wrong, for people; null: nothing. */
  readonly fault: string | null;
  readonly isBusy: boolean;
  /** Asks again. */
  readonly again: () => void;
}

/**
 * Asks the API when the component appears and whenever `key` changes, and gives up what was asked before. `ask` is null
 * where there is nothing to ask.
 */
export function useAnswer<Data>(
  key: string,
  ask: ((signal: AbortSignal) => Promise<Replied<Data>>) | null,
): Answer<Data> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<Answer<Data>, "again">>({ data: null, fault: null, isBusy: ask !== null });
  const newest = useRef(ask);
  newest.current = ask;
  useEffect(() => {
    const question = newest.current;
    if (question === null) {
      setState({ data: null, fault: null, isBusy: false });
      return;
    }
    const gone = new AbortController();
    setState(({ data }) => ({ data, fault: null, isBusy: true }));
    const follow = async (): Promise<void> => {
      const { data, error } = await question(gone.signal).catch(unanswered);
      if (gone.signal.aborted) return;
      if (data === undefined) setState({ data: null, fault: sentenceOf(error), isBusy: false });
      else setState({ data, fault: null, isBusy: false });
    };
    void follow();
    return () => gone.abort();
  }, [key, round]);
  const again = useCallback(() => setRound((count) => count + 1), []);
  return { ...state, again };
}
