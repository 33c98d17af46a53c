import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { words } from "../../words.js";
import { Marked } from "./matches.js";
import type { Sheet } from "./rows.js";

const say = words({
  en: {
    table: "Table",
    columns: "{shown} of {count} columns are shown.",
    all: "Show {count} columns",
  },
  de: {
    table: "Tabelle",
    columns: "{shown} von {count} Spalten sind zu sehen.",
    all: "{count} Spalten zeigen",
  },
});

/** How many columns are shown at first, and at most: a row may be nothing but separators. */
const firstColumns = 30;
const mostColumns = 500;
/** A cell of more characters is cut; the text as it was read has them. */
const mostOfCell = 2_000;

interface SheetProps {
  readonly sheet: Sheet;
  /** Shows what a cell says. Left out: with what is sought marked. */
  readonly show?: (text: string) => ComponentChildren;
}

const marked = (text: string) => <Marked text={text} />;

/** Rows as a table. Where it is wider than the page it scrolls by itself, with the keyboard too. */
export function SheetTable({ sheet: { name, rows, hasHead }, show = marked }: SheetProps) {
  const [isWide, setWide] = useState(false);
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Math.min(count, isWide ? mostColumns : firstColumns);
  const [head, ...body] = hasHead ? rows : [undefined, ...rows];
  return (
    <div class="sheet">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div class="table" role="region" aria-label={name ?? say("table")} tabIndex={0}>
        <table>
          {name !== null && <caption>{show(name)}</caption>}
          {head !== undefined && (
            <thead>
              <Row of={head} columns={columns} show={show} isHead />
            </thead>
          )}
          <tbody>
            {body.map((row, at) => (
              <Row key={at} of={row ?? []} columns={columns} show={show} />
            ))}
          </tbody>
        </table>
      </div>
      {columns < count && (
        <div class="row">
          <p class="quiet">{say("columns", { shown: columns, count })}</p>
          {!isWide && (
            <button type="button" onClick={() => setWide(true)}>
              {say("all", { count: Math.min(count, mostColumns) })}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

interface RowProps {
  readonly of: readonly string[];
  readonly columns: number;
  readonly show: (text: string) => ComponentChildren;
  readonly isHead?: boolean;
}

const Row = ({ of: cells, columns, show, isHead = false }: RowProps) => (
  <tr>
    {cells.slice(0, columns).map((cell, at) => {
      const text = show(cell.slice(0, mostOfCell));
      // A name of nothing is no name: a head's empty cell is a cell.
      return isHead && cell !== "" ? (
        <th key={at} scope="col">
          {text}
        </th>
      ) : (
        <td key={at} class={isNumber(cell) ? "number" : undefined}>
          {text}
        </td>
      );
    })}
    {cells.length < columns && <td colSpan={columns - cells.length} />}
  </tr>
);

const number = /^[-+]?[\d.,'’ ]{1,24}\s?[%€$£]?$/u;

const isNumber = (cell: string): boolean => number.test(cell) && /\d/.test(cell);
