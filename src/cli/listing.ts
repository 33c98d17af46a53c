import Table from "cli-table3";

const borderless = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

/**
 * Comma-separated values (RFC 4180), without an end of line behind the last. A spreadsheet must not take a value for a
 * formula.
 */
export function toCsv(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((row) => row.map(csvCell).join(",")).join("\r\n");
}

function csvCell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An aligned table without frame or colours, so that it can be read, copied and cut. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: [...head],
    chars: borderless,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** A column: its name, and what it holds of an item. */
export type Column<Item> = readonly [name: string, cell: (item: Item) => string];

/** How a list is printed. */
export interface Listing<Item> {
  /** Of comma-separated values. */
  readonly columns: readonly Column<Item>[];
  /** Those of a table for people, the widest last; default: the same. */
  readonly table?: readonly Column<Item>[];
  /** What people read where there is nothing. */
  readonly none: string;
}

/** The items with all columns as comma-separated values, without an end of line behind the last. */
export const listingAsCsv = <Item>({ columns }: Listing<Item>, items: readonly Item[]): string =>
  toCsv(namesOf(columns), cellsOf(columns, items));

/** The items as a table for people, or that there are none. */
export function listingAsTable<Item>(
  { columns, table = columns, none }: Listing<Item>,
  items: readonly Item[],
): string {
  return items.length === 0 ? none : renderTable(headsOf(table), cellsOf(table, items));
}

export const namesOf = <Item>(columns: readonly Column<Item>[]): readonly string[] => columns.map(([name]) => name);
export const headsOf = <Item>(columns: readonly Column<Item>[]): readonly string[] =>
  columns.map(([name]) => name.toUpperCase());
export const cellsOf = <Item>(columns: readonly Column<Item>[], items: readonly Item[]): readonly string[][] =>
  items.map((item) => columns.map(([, cell]) => cell(item)));

/** Something that came to nothing, and why, in a sentence. */
interface ReasonedEntry {
  readonly name: string;
  readonly reason: string;
}

/** Lines that tell each reason once: how often it is given, the most frequent first, and for what. */
export function groupedByReason(entries: readonly ReasonedEntry[], mostNamed: number): string[] {
  const groups = new Map<string, string[]>();
  for (const { name, reason } of entries) {
    const names = groups.get(reason);
    if (names === undefined) groups.set(reason, [name]);
    else names.push(name);
  }
  return [...groups]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .flatMap(([reason, names]) => [
      `${names.length} × ${reason}`,
      ...names.slice(0, mostNamed).map((name) => `  ${name}`),
      ...(names.length > mostNamed ? [`  … and ${names.length - mostNamed} more (--json lists all)`] : []),
    ]);
}
