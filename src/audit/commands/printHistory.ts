import type { HistoryAnswerPage, Via, VisibleItem, WhatItem, WhoItem } from "../historyQuestions.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { addressOf, withAuditService, type AuditOptions } from "./askAudit.js";
import { printPages, type PageFormat } from "./pagePrinter.js";
import type { ExplainedFact } from "../auditQueries.js";
import { toUtc } from "../../cli/arguments.js";
import type { Service } from "../../cli/service.js";

/** How the answers to a question about more than one person or document are shown. */
export interface HistoryFormat<Item extends object> extends PageFormat<Item> {
  /** Such as `who`, for `GET /api/audit/who`. */
  readonly question: string;
}

/** How many items are asked for at once. */
export const pageSize = 1_000;

/** Asks for page after page and prints each as it comes: the whole answer, as of one moment. */
export function printHistory<Item extends object>(
  format: HistoryFormat<Item>,
  parameters: Readonly<Record<string, string | undefined>>,
  options: AuditOptions,
  terminal: Terminal,
): Promise<void> {
  const addressOfPage = (next: string | undefined): string => {
    const page = { ...parameters, count: String(pageSize) };
    return addressOf(format.question, next === undefined ? page : { ...page, at: undefined, next });
  };
  return withAuditService(options, terminal, answersRestOn.past, (service) =>
    printPages(format, { ...options, source: service.source }, terminal, (next) =>
      service.ask<HistoryAnswerPage<Item>>({ method: "GET", path: addressOfPage(next) }),
    ),
  );
}

/**
 * In one cell: the groups from the one that is granted down to the one that holds the person, or whom else the grant
 * names.
 */
export const viaText = ({ grant, groups, by_default: isByDefault }: Via): string =>
  grant === "group" ? groups.join(" > ") : isByDefault === true ? `${grant}, by default` : grant;

/** How the answers to each question about more than one person or document are shown. */
export const whoFormat: HistoryFormat<WhoItem> = {
  question: "who",
  columns: ["user_email", "via"],
  nouns: { one: "person", many: "people", none: "Nobody could see it." },
  cellsOf: ({ user_email: email, via }) => [email, viaText(via)],
};

export const whatFormat: HistoryFormat<WhatItem> = {
  question: "what",
  columns: ["document", "via"],
  nouns: { one: "document", many: "documents", none: "No document could be seen." },
  cellsOf: ({ document, via }) => [document, viaText(via)],
};

/** On a terminal the event can be looked up by its position. */
export const timelineFormat: HistoryFormat<ExplainedFact> = {
  question: "history",
  columns: ["position", "time", "by", "fact", "event", "stream", "revision"],
  nouns: { one: "fact", many: "facts", none: "Nothing has happened." },
  cellsOf: ({ position, time, by, fact, event, stream, revision }) => [
    position,
    time,
    by,
    fact,
    event,
    stream,
    String(revision),
  ],
  table: {
    columns: ["position", "time (utc)", "by", "fact"],
    cellsOf: ({ position, time, by, fact }) => [position, toUtc(time), by, fact],
  },
};

const visibleColumns = {
  nouns: { one: "interval", many: "intervals", none: "Nothing was visible." },
  columns: ["user_email", "document", "from", "from_time", "until", "until_time", "by_default"],
  cellsOf: (item: VisibleItem) => [
    item.user_email,
    item.document,
    item.from,
    item.from_time,
    item.until ?? "",
    item.until_time ?? "",
    String(item.by_default === true),
  ],
  table: {
    columns: ["from (utc)", "until (utc)", "user", "document"],
    cellsOf: (item: VisibleItem) => [
      toUtc(item.from_time),
      item.until_time === null ? "still" : toUtc(item.until_time),
      item.user_email,
      item.by_default === true ? `${item.document} (by default)` : item.document,
    ],
  },
};

export const effectiveFormat: HistoryFormat<VisibleItem> = {
  question: "history",
  ...visibleColumns,
};

export const exposureFormat: HistoryFormat<VisibleItem> = {
  question: "exposure",
  ...visibleColumns,
};

/** Reads all pages of a list that is in the order of the log. */
export async function everyItem<Item>(
  service: Service,
  list: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let from: string | undefined = "0"; from !== undefined;) {
    const path = addressOf(list, { ...parameters, from, count: String(pageSize) });
    const page: { readonly items: readonly Item[]; readonly next?: string } = await service.ask({
      method: "GET",
      path,
    });
    items.push(...page.items);
    from = page.next;
  }
  return items;
}
