import { Table } from "../../parts/table.js";
import { accessAddress } from "./asked.js";
import { More } from "./more.js";
import { say, viaText } from "./say.js";
import type { Pages } from "./usePages.js";

/** A person or a document, and by what the one sees the other. */
export interface Seen {
  readonly name: string;
  readonly via: Parameters<typeof viaText>[0];
}

interface SeenListProps<Item> {
  readonly title: string;
  readonly heads: readonly [string, string];
  readonly pages: Pages<Item, { readonly items: readonly Item[] }>;
  readonly total: number | null;
  readonly seenOf: (item: Item) => Seen;
  /** What a link to the pair says besides the name. */
  readonly linkTo: (name: string) => Parameters<typeof accessAddress>[0];
}

/** Everyone who sees something, or everything that somebody sees, page by page. */
export function SeenList<Item>({ title, heads, pages, total, seenOf, linkTo }: SeenListProps<Item>) {
  const { items } = pages;
  return (
    <>
      {items.length > 0 && (
        <>
          <h3>{title}</h3>
          <Table
            label={title}
            items={items.map(seenOf)}
            keyOf={({ name }) => name}
            columns={[
              { name: heads[0], cell: ({ name }) => <a href={accessAddress(linkTo(name))}>{name}</a> },
              { name: heads[1], cell: ({ via }) => viaText(via) },
            ]}
          />
          {total !== null && total > items.length && (
            <p class="quiet">{say("shown", { count: items.length, total })}</p>
          )}
        </>
      )}
      <More of={pages} />
    </>
  );
}
