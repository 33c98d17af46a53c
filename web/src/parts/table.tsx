import type { ComponentChildren } from "preact";
import { words } from "../words.js";

const say = words({ en: { actions: "Actions" }, de: { actions: "Aktionen" } });

/** A column: what it is called, and what stands there. */
export interface Column<Item> {
  readonly name: string;
  readonly cell: (item: Item) => ComponentChildren;
}

interface TableProps<Item> {
  /** What the table lists, for those who don't see it. */
  readonly label: string;
  readonly columns: readonly Column<NoInfer<Item>>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: NoInfer<Item>) => string;
  /** What can be done with each: in a column that stays in sight while the others scroll. */
  readonly actions?: (item: NoInfer<Item>) => ComponentChildren;
}

/**
 * A table with its columns' names. Where it is wider than the page it scrolls by itself, with the keyboard too; on the
 * narrowest screens each row is a list of its cells.
 */
export const Table = <Item,>({ label, columns, items, keyOf, actions }: TableProps<Item>) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div class="table" role="region" aria-label={label} tabIndex={0}>
    <table class="cells">
      <thead>
        <tr>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {actions !== undefined && (
            <th scope="col" class="acts">
              {say("actions")}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)}>
            {columns.map(({ name, cell }) => (
              <td key={name} data-label={name}>
                <div>{cell(item)}</div>
              </td>
            ))}
            {actions !== undefined && (
              <td class="acts">
                <div class="actions">{actions(item)}</div>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
