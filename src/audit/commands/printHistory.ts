import type { AskHistory, HistoryAnswerPage } from "../historyQuestions.js";
import { withAuditSession, type AuditOptions, type AuditQuestion } from "./askAudit.js";
import { printPages, type PageFormat } from "./pagePrinter.js";

/** How the answers to a question about more than one person or document are shown. */
export interface HistoryFormat<Item extends object> extends PageFormat<Item> {
  readonly question: AuditQuestion<AskHistory, HistoryAnswerPage<Item>>;
}

/** How many items are asked for at once. */
export const pageSize = 1_000;

/** Asks for page after page and prints each as it comes: the whole answer, as of one moment. */
export function printHistory<Item extends object>(
  format: HistoryFormat<Item>,
  parameters: Readonly<Record<string, string | undefined>>,
  options: AuditOptions,
): Promise<void> {
  return withAuditSession(options, (ask) =>
    printPages(format, options, (next) => {
      const page = { ...parameters, count: String(pageSize) };
      return ask(format.question, next === undefined ? page : { ...page, at: undefined, next });
    }),
  );
}
