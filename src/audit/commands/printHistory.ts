import type { HistoryAnswerPage } from "../historyQuestions.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { addressOf, withAuditService, type AuditOptions } from "./askAudit.js";
import { printPages, type PageFormat } from "./pagePrinter.js";

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
