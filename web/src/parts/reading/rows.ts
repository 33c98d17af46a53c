/** Rows that belong together: a sheet of a workbook, or a file of comma-separated values. */
export interface Sheet {
  /** null: it has none, or begins before what is shown. */
  readonly name: string | null;
  readonly rows: readonly (readonly string[])[];
  /** The first row says what is in the columns. */
  readonly hasHead: boolean;
}

/**
 * The sheets of a workbook's text: a name, and a row as a line with cells apart by tabs. Sheets are apart by blank
 * lines.
 *
 * @param isBeginning the text is the workbook's from its beginning on.
 */
export const sheetsOf = (text: string, isBeginning: boolean): readonly Sheet[] =>
  text
    .split(/\n{2,}/)
    .map((each, at) => ({ lines: each.split("\n").filter((line) => line !== ""), isNamed: isBeginning || at > 0 }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ lines, isNamed }) => ({
      name: isNamed ? (lines[0] ?? "") : null,
      rows: lines.slice(isNamed ? 1 : 0).map((line) => line.split("\t")),
      hasHead: false,
    }));

const separators = [",", ";", "\t", "|"] as const;

/** What stands between the values of a text: what its first line holds most of, outside of quotes. */
export function separatorOf(text: string): string {
  const end = text.indexOf("\n");
  const bare = text.slice(0, end === -1 ? mostOfFirstLine : Math.min(end, mostOfFirstLine)).replaceAll(/"[^"]*"/g, "");
  const counts = separators.map((separator) => bare.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}

const mostOfFirstLine = 10_000;

/** The rows of values that stand apart by a separator; values in quotes may hold it, line breaks and doubled quotes. */
export function delimitedRows(text: string, separator: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    const { value, end } = text[at] === '"' ? quotedAt(text, at, separator) : bareAt(text, at, separator);
    row.push(value);
    if (text[end] !== separator) {
      rows.push(row);
      row = [];
    } else if (end + 1 === text.length) row.push("");
    at = end + 1;
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((values) => values.some((value) => value !== ""));
}

interface Value {
  readonly value: string;
  /** Where the separator or the line break after it stands. */
  readonly end: number;
}

function bareAt(text: string, from: number, separator: string): Value {
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== "\n") end += 1;
  return { value: text.slice(from, end).trim(), end };
}

function quotedAt(text: string, from: number, separator: string): Value {
  let value = "";
  let at = from + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close === -1) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, close);
    at = close + 1;
    if (text[at] !== '"') break;
    value += '"';
    at += 1;
  }
  const rest = bareAt(text, at, separator);
  return { value: value + rest.value, end: rest.end };
}
