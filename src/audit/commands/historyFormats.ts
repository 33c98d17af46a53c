import type { ExplainedFact } from "../auditQueries.js";
import type { Via, VisibleItem, WhatItem, WhoItem } from "../historyQuestions.js";
import { toUtc } from "../../cli/instants.js";
import type { HistoryFormat } from "./printHistory.js";

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
