import type { AskHistory, HistoryAnswerPage } from "../../../queries/audit/historyQuestions.js";
import { printSteadily, toCsv } from "../output.js";
import { withAuditSession, type AuditOptions, type AuditQuestion } from "./askAudit.js";

/** How the items of an answer are shown. */
export interface HistoryFormat<Item extends object> {
  readonly question: AuditQuestion<AskHistory, HistoryAnswerPage<Item>>;
  readonly columns: readonly string[];
  cellsOf(item: Item): readonly string[];
  /** For people: what fits a terminal, the widest column last. Left out: the same columns. */
  readonly table?: Pick<HistoryFormat<Item>, "columns" | "cellsOf">;
}

const pageSize = "1000";

/** Asks for page after page and prints each as it comes: the whole answer, as of one moment. */
export function printHistory<Item extends object>(format: HistoryFormat<Item>, parameters: Readonly<Record<string, string | undefined>>, options: AuditOptions): Promise<void> {
  const printer = printerFor(format, options);
  return withAuditSession(options, async (ask) => {
    let page = await ask(format.question, { ...parameters, count: pageSize });
    await printSteadily(printer.before(page));
    for (let printed = 0; ; ) {
      if (page.items.length > 0) await printSteadily(printer.items(page.items, printed === 0));
      printed += page.items.length;
      if (page.next === undefined) return printSteadily(printer.after(printed));
      page = await ask(format.question, { ...parameters, at: undefined, count: pageSize, next: page.next });
    }
  });
}

interface Printer<Item extends object> {
  before(first: HistoryAnswerPage<Item>): string;
  items(items: readonly Item[], isFirst: boolean): string;
  after(printed: number): string;
}

function printerFor<Item extends object>(format: HistoryFormat<Item>, { json, csv }: AuditOptions): Printer<Item> {
  if (json === true) return asJson();
  return csv === true ? asCsv(format) : asTable(format);
}

/** One object: what holds for all pages first. */
const asJson = <Item extends object>(): Printer<Item> => ({
  before: ({ items: _items, next: _next, ...answer }) => `${JSON.stringify(answer).slice(0, -1)},"items":[`,
  items: (items, isFirst) => (isFirst ? "" : ",") + items.map((item) => JSON.stringify(item)).join(","),
  after: () => "]}\n",
});

const asCsv = <Item extends object>({ columns, cellsOf }: HistoryFormat<Item>): Printer<Item> => ({
  before: () => toCsv(columns, []),
  items: (items) => items.map((item) => `\r\n${toCsv(cellsOf(item), [])}`).join(""),
  after: () => "\r\n",
});

/** Columns are as wide as the first page needs them. */
function asTable<Item extends object>({ table, ...whole }: HistoryFormat<Item>): Printer<Item> {
  const { columns, cellsOf } = table ?? whole;
  let widths: readonly number[] = [];
  const line = (cells: readonly string[]): string => `${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ").trimEnd()}\n`;
  return {
    before: ({ at, position, missing }) => `As of ${at ?? "the beginning"} (position ${position})${missing === undefined ? "" : `: ${missing.detail}`}\n`,
    items: (items, isFirst) => {
      const rows = items.map(cellsOf);
      const heads = columns.map((name) => name.toUpperCase());
      if (isFirst) widths = heads.map((head, index) => Math.max(head.length, ...rows.map((cells) => (cells[index] ?? "").length)));
      return (isFirst ? `\n${line(heads)}` : "") + rows.map(line).join("");
    },
    after: (printed) => `\n${printed.toLocaleString("en")} ${printed === 1 ? "line" : "lines"}.\n`,
  };
}
