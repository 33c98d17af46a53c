import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { sentenceOf } from "../api/client.js";
import { words } from "../words.js";
import "./longList.css";
import { Busy, Fault } from "./states.js";

const say = words({
  en: { more: "Looking for more", whole: "{count} shown, and there are no more.", whole_one: "1 shown." },
  de: { more: "Sucht weiter", whole: "{count} gezeigt, mehr gibt es nicht.", whole_one: "1 gezeigt." },
});

/** A page of a list, as the API tells it. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; null: there is none. */
  readonly next: string | null;
}

/** So many entries are asked for at once. */
const perPage = 500;

/** Parameters that ask for the page that begins there. */
export const pageFrom = (next: string | null) => ({ count: perPage, ...(next !== null && { next }) });

interface PageAnswer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
}

/** The page in an answer; `itemsIn` finds the entries, which every route calls what they are. */
export const pageIn = <Data extends { readonly next: string | null }, Item>(
  { data, error }: PageAnswer<Data>,
  itemsIn: (data: Data) => readonly Item[],
) => (data === undefined ? { error } : { data: { items: itemsIn(data), next: data.next } });

interface LongListProps<Item> {
  /** What the list is called for who cannot see it. */
  readonly label: string;
  /** Another key is another list: it begins anew. */
  readonly listKey: string;
  /** Asks for the page that begins there; null: the first. */
  readonly load: (next: string | null, signal: AbortSignal) => Promise<PageAnswer<ListPage<Item>>>;
  readonly keyOf: (item: Item) => string;
  readonly row: (item: Item) => ComponentChildren;
  /** What is shown where nothing is there. */
  readonly empty: ComponentChildren;
}

interface Loaded<Item> extends ListPage<Item> {
  readonly fault: string | null;
  readonly isBusy: boolean;
}

const nothing = { items: [], next: null, fault: null, isBusy: true };
const rowHeight = 44;
/**
 * Rows are placed so many at a time: where one turns out higher than was thought, all places below it are found anew,
 * and of 100,000 rows that would be felt.
 */
const rowsPerBlock = 10;
/** So many rows before the end the next page is asked for. */
const ahead = 30;

/** A list of any length: pages are asked for as one scrolls, and only rows that are seen are in the document. */
export function LongList<Item>(props: LongListProps<Item>) {
  const pages = usePages(props.listKey, props.load);
  const { items, next, fault, isBusy, more } = pages;
  const isWhole = next === null && !isBusy && fault === null;
  return (
    <div class="long-list">
      {isWhole && items.length === 0 && props.empty}
      <Rows {...props} pages={pages} />
      {fault !== null && <Fault again={more}>{fault}</Fault>}
      {isBusy && <Busy what={items.length === 0 ? undefined : say("more")} />}
      {isWhole && items.length > 0 && (
        <p class="quiet" role="status">
          {say("whole", { count: items.length })}
        </p>
      )}
    </div>
  );
}

interface Pages<Item> extends Loaded<Item> {
  readonly more: () => void;
}

type RowsProps<Item> = Pick<LongListProps<Item>, "label" | "keyOf" | "row"> & { readonly pages: Pages<Item> };

function Rows<Item>({ label, keyOf, row, pages }: RowsProps<Item>) {
  const { items, next, fault, isBusy, more } = pages;
  const scroller = useRef<HTMLDivElement>(null);
  const blocks = useVirtualBlocks(scroller, items.length);
  const seen = blocks.virtual.getVirtualItems();
  const lastSeen = ((seen.at(-1)?.index ?? 0) + 1) * rowsPerBlock;
  const wantsMore = lastSeen >= items.length - ahead && next !== null && !isBusy && fault === null;
  useEffect(() => {
    if (wantsMore) more();
  }, [wantsMore, next]);
  const rowAt = (item: Item, index: number) => (
    <div
      key={keyOf(item)}
      class="long-list-row"
      role="listitem"
      aria-posinset={index + 1}
      aria-setsize={next === null ? items.length : -1}
    >
      {row(item)}
    </div>
  );
  return (
    <div ref={scroller} class="long-list-rows" hidden={items.length === 0} tabIndex={0} role="group" aria-label={label}>
      <div class="long-list-all" role="list" style={{ height: `${blocks.virtual.getTotalSize()}px` }}>
        {seen.map(({ index, start }) => {
          const first = index * rowsPerBlock;
          return (
            <div
              key={index}
              ref={blocks.measure}
              data-index={index}
              class="long-list-block"
              role="presentation"
              style={{ transform: `translateY(${start}px)` }}
            >
              {items.slice(first, first + rowsPerBlock).map((item, at) => rowAt(item, first + at))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function usePages<Item>(listKey: string, load: LongListProps<Item>["load"]): Pages<Item> {
  const [state, setState] = useState<Loaded<Item>>(nothing);
  const newest = useRef(load);
  newest.current = load;
  const asking = useRef<AbortController | null>(null);
  const ask = async (known: ListPage<Item>): Promise<void> => {
    asking.current?.abort();
    const gone = (asking.current = new AbortController());
    setState({ ...known, fault: null, isBusy: true });
    const first = known.items.length === 0 && known.next === null;
    const { data, error } = await newest.current(first ? null : known.next, gone.signal).catch((failure: unknown) => ({
      data: undefined,
      error: failure,
    }));
    if (gone.signal.aborted) return;
    if (data === undefined) setState({ ...known, fault: sentenceOf(error), isBusy: false });
    else setState({ items: [...known.items, ...data.items], next: data.next, fault: null, isBusy: false });
  };
  useEffect(() => {
    void ask({ items: [], next: null });
    return () => asking.current?.abort();
  }, [listKey]);
  return { ...state, more: () => void ask({ items: state.items, next: state.next }) };
}

/** The blocks of rows that are seen, and one before and after them. */
function useVirtualBlocks(scroller: { readonly current: HTMLDivElement | null }, rows: number) {
  const [, seeAgain] = useState(0);
  // Where a block is as high as was thought, the places of all that follow stay.
  const usualHeight = useRef(rowHeight);
  const options: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    count: Math.ceil(rows / rowsPerBlock),
    getScrollElement: () => scroller.current,
    estimateSize: (index) => Math.min(rowsPerBlock, rows - index * rowsPerBlock) * usualHeight.current,
    overscan: 1,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => seeAgain((times) => times + 1),
  };
  const kept = useRef<Virtualizer<HTMLDivElement, HTMLDivElement> | null>(null);
  const virtual = (kept.current ??= new Virtualizer(options));
  virtual.setOptions(options);
  // The library has no binding for Preact; its own bindings call these two.
  // oxlint-disable-next-line no-underscore-dangle
  useEffect(() => virtual._didMount(), []);
  // oxlint-disable-next-line no-underscore-dangle
  useLayoutEffect(() => virtual._willUpdate());
  const measure = useCallback((block: HTMLDivElement | null): void => {
    virtual.measureElement(block);
    if (block?.dataset["index"] === "0") usualHeight.current = block.offsetHeight / block.childElementCount;
  }, []);
  return { virtual, measure };
}
