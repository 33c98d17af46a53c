import { formatPageToken } from "../../src/shared/pageToken.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { Projected } from "../ports.js";
import type { QueryFailure, QueryResult } from "../queries.js";
import { describeAsOf, resolveMoment, type MomentServices } from "./asOf.js";
import type { AuditQueries } from "./auditQueries.js";
import type { HistoryPage, HistoryPageRequest } from "./historyPages.js";
import type { HistoryAnswerPage } from "./historyQuestions.js";

export interface HistoryServices extends MomentServices {
  /** How far the permission history has come. */
  readonly progress: Projected;
  readonly patienceMs: number;
  /** Makes a page as of a position that is reached, in a thread of its own. */
  page(request: HistoryPageRequest): Promise<Result<HistoryPage, QueryFailure>>;
}

/** Questions about more than one person or document: resolved to a prefix of the log, which the history has to have reached. */
export function createHistory(services: HistoryServices): AuditQueries["history"] {
  const { progress, patienceMs, page, clock } = services;
  return async ({ question, at, next, count }): QueryResult<HistoryAnswerPage> => {
    const moment = await resolveMoment(next === null ? at : { kind: "position", position: next.position }, services);
    if (!moment.ok) return moment;
    const { position } = moment.value;
    const started = performance.now();
    if (!(await progress.reached(position, patienceMs))) return failed({ type: "HistoryBehind", waitedMs: Math.round(performance.now() - started) });
    const offset = next?.offset ?? 0;
    const answer = await page({ question, position: Number(position), offset, count });
    if (!answer.ok) return answer;
    const { items, hasMore, ...rest } = answer.value;
    const asOf = describeAsOf(next === null ? moment.value : { position, time: await clock.timeAt(position) });
    return ok({ items: [...items], ...rest, ...asOf, ...(hasMore && { next: formatPageToken({ position, offset: offset + items.length }) }) });
  };
}
