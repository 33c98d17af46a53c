import { useEffect, useRef, useState } from "preact/hooks";
import { sentenceOf } from "../../api/client.js";

/** A page of a list that goes on. */
export interface PageOfItems<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

interface Replied<Page> {
  readonly data?: Page;
  readonly error?: unknown;
}

/** A list of which more is asked for when it is wanted. */
export interface Pages<Item, Page> {
  readonly items: readonly Item[];
  /** The first page, with what it says besides its items. */
  readonly first: Page | null;
  readonly fault: string | null;
  readonly isBusy: boolean;
  /** Asks for the next page; null where there is none. */
  readonly more: (() => void) | null;
  readonly again: () => void;
}

interface State<Page> {
  readonly pages: readonly Page[];
  readonly fault: string | null;
  readonly isBusy: boolean;
}

/** Asks for the first page whenever `key` changes, and for others one after the other. */
export function usePages<Item, Page extends PageOfItems<Item>>(
  key: string,
  ask: (next: string | undefined, signal: AbortSignal) => Promise<Replied<Page>>,
): Pages<Item, Page> {
  const [state, setState] = useState<State<Page>>({ pages: [], fault: null, isBusy: true });
  const asking = useRef(new AbortController());
  const newest = useRef(ask);
  newest.current = ask;
  const read = async (before: readonly Page[]): Promise<void> => {
    asking.current.abort();
    const gone = new AbortController();
    asking.current = gone;
    setState((last) => ({ pages: before.length === 0 ? last.pages : before, fault: null, isBusy: true }));
    const reply: Replied<Page> = await newest
      .current(before.at(-1)?.next, gone.signal)
      .catch((error: unknown) => ({ error }));
    if (gone.signal.aborted) return;
    if (reply.data === undefined) setState({ pages: before, fault: sentenceOf(reply.error), isBusy: false });
    else setState({ pages: [...before, reply.data], fault: null, isBusy: false });
  };
  useEffect(() => {
    void read([]);
    return () => asking.current.abort();
  }, [key]);
  const { pages, fault, isBusy } = state;
  const hasMore = pages.at(-1)?.next !== undefined;
  return {
    ...{ fault, isBusy, first: pages[0] ?? null },
    items: pages.flatMap(({ items }) => items),
    more: hasMore ? () => void read(pages) : null,
    again: () => void read(pages),
  };
}
