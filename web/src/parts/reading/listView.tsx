import type { ComponentChildren } from "preact";
import type { ListItem } from "./blocks.js";

interface ListProps {
  readonly items: readonly ListItem[];
  /** Shows what an item says. */
  readonly show: (text: string) => ComponentChildren;
}

/** A list with the lists in its items, numbered where its first item is. */
export function ListView({ items, show }: ListProps) {
  const shown = withInner(items).map(({ item, inner }, at) => (
    <li key={at}>
      {show(item.text)}
      {inner.length > 0 && <ListView items={inner} show={show} />}
    </li>
  ));
  const first = items[0]?.number ?? null;
  return first === null ? <ul>{shown}</ul> : <ol start={first}>{shown}</ol>;
}

interface ItemWithInner {
  readonly item: ListItem;
  readonly inner: ListItem[];
}

/** Each item with those after it that lie deeper than the first one. */
function withInner(items: readonly ListItem[]): readonly ItemWithInner[] {
  const depth = items[0]?.depth ?? 0;
  const outer: ItemWithInner[] = [];
  for (const item of items) {
    const last = outer.at(-1);
    if (last !== undefined && item.depth > depth) last.inner.push(item);
    else outer.push({ item, inner: [] });
  }
  return outer;
}
