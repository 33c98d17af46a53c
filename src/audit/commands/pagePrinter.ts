import type { DescribedMoment, ExplainedFact } from "../auditFacts.js";
import type { NothingFound } from "../historyQuestions.js";
import { toUtc } from "../../cli/arguments.js";
import { cellsOf, headsOf, namesOf, toCsv, type Listing } from "../../cli/listing.js";
import type { Terminal } from "../../cli/terminal.js";
import { counted } from "../../shared/texts.js";

/** A page of an answer, as any of the questions with pages has it. */
interface AnswerPage<Item extends object> extends Readonly<DescribedMoment> {
  readonly items: readonly Item[];
  readonly missing?: NothingFound;
  readonly about?: ExplainedFact;
  readonly next?: string;
}

/** How the items of an answer are listed. */
export interface PageListing<
  Item extends object,
  Page extends AnswerPage<Item> = AnswerPage<Item>,
> extends Listing<Item> {
  /** What one item is called, and several. */
  readonly one: string;
  readonly many: string;
  /** For people: what stands before the items. Left out: as of when, and why there are none. */
  heading?(first: Page): string;
}

/** Prints page after page as each comes: the whole answer, as of one moment. `source`: where it comes from. */
export async function printPages<Item extends object, Page extends AnswerPage<Item>>(
  listing: PageListing<Item, Page>,
  options: { readonly json?: boolean; readonly csv?: boolean; readonly source: string },
  terminal: Terminal,
  pageAt: (next: string | undefined) => Promise<Page>,
): Promise<void> {
  const printer = printerFor(listing, options);
  let page = await pageAt(undefined);
  await terminal.printSteadily(printer.before(page));
  for (let printed = 0; ;) {
    if (page.items.length > 0) await terminal.printSteadily(printer.items(page.items, printed === 0));
    printed += page.items.length;
    if (page.next === undefined) return terminal.printSteadily(printer.after(printed));
    page = await pageAt(page.next);
  }
}

/** The moment of an answer, for people. */
export const asOfText = ({ at, position, clock_ahead_at: ahead }: Readonly<DescribedMoment>): string =>
  `as of ${at === null ? "the beginning" : `${toUtc(at)} UTC`} (position ${position})${
    ahead === undefined ? "" : `, while the log's clock shows ${toUtc(ahead)} UTC: times may be wrong`
  }`;

interface Printer<Item extends object, Page extends AnswerPage<Item>> {
  before(first: Page): string;
  items(items: readonly Item[], isFirst: boolean): string;
  after(printed: number): string;
}

function printerFor<Item extends object, Page extends AnswerPage<Item>>(
  listing: PageListing<Item, Page>,
  { json, csv, source }: { readonly json?: boolean; readonly csv?: boolean; readonly source: string },
): Printer<Item, Page> {
  if (json === true) return asJson(source);
  return csv === true ? asCsv(listing) : asTable(listing);
}

/** One object: what holds for all pages first. */
const asJson = <Item extends object, Page extends AnswerPage<Item>>(source: string): Printer<Item, Page> => ({
  before: ({ items: _items, next: _next, ...answer }) =>
    `${JSON.stringify({ ...answer, source }).slice(0, -1)},"items":[`,
  items: (items, isFirst) => (isFirst ? "" : ",") + items.map((item) => JSON.stringify(item)).join(","),
  after: () => "]}\n",
});

const asCsv = <Item extends object, Page extends AnswerPage<Item>>({
  columns,
}: PageListing<Item, Page>): Printer<Item, Page> => ({
  before: () => toCsv(namesOf(columns), []),
  items: (items) =>
    cellsOf(columns, items)
      .map((cells) => `\r\n${toCsv(cells, [])}`)
      .join(""),
  after: () => "\r\n",
});

/** The moment, and why there is nothing, or which fact alone the answer is about. */
function headingOf<Item extends object>(page: AnswerPage<Item>): string {
  const { missing, about } = page;
  const asOf = capitalised(asOfText(page));
  if (missing !== undefined) return `${asOf}: ${missing.detail}`;
  return about === undefined
    ? asOf
    : [`${asOf}, made visible by this alone:`, "", ...factLines(about), ""].join("\n").trimEnd();
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Columns are as wide as the first page needs them. */
function asTable<Item extends object, Page extends AnswerPage<Item>>({
  columns,
  table = columns,
  heading = headingOf,
  ...nouns
}: PageListing<Item, Page>): Printer<Item, Page> {
  let widths: readonly number[] = [];
  let isExplained = false;
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd()}\n`;
  return {
    before: (page) => {
      isExplained = page.missing !== undefined;
      return `${heading(page)}\n`;
    },
    items: (items, isFirst) => {
      const rows = cellsOf(table, items);
      const heads = headsOf(table);
      if (isFirst)
        widths = heads.map((head, index) => Math.max(head.length, ...rows.map((cells) => (cells[index] ?? "").length)));
      return (isFirst ? `\n${line(heads)}` : "") + rows.map(line).join("");
    },
    after: (printed) => {
      if (printed === 0) return isExplained ? "" : `${nouns.none}\n`;
      return `\n${counted(printed, nouns.one, nouns.many)}.\n`;
    },
  };
}

/** A fact, and below it when and by whom it began: no table fits a terminal where names are long. */
export const factLines = ({ fact, position, time, by }: ExplainedFact): readonly string[] => [
  `  ${fact}`,
  `      ${toUtc(time)} UTC, position ${position}, by ${by}`,
];
