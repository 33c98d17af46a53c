import { formatPageToken } from "../../shared/pageToken.js";
import { failed, ok, type Result } from "../../shared/result.js";
import type { Checkpointed } from "../../../queries/ports.js";
import type { QueryFailure, QueryResult } from "../../../queries/queries.js";
import { describeAsOf, resolveMoment, type AsOf, type MomentServices } from "./moment.js";
import type { Moment } from "../auditFacts.js";
import type { AuditQueries } from "../auditQueries.js";
import type { HistoryPage, HistoryPageRequest } from "./historyPages.js";
import type { HistoryAnswerPage } from "../historyQuestions.js";

export interface HistoryServices extends MomentServices {
  /** How far the permission history has come. */
  readonly progress: Checkpointed;
  readonly patienceMs: number;
  /** Makes a page as of a position that is reached, in a thread of its own. */
  page(request: HistoryPageRequest): Promise<Result<HistoryPage, QueryFailure>>;
}

/** A stretch of an answer, as of a moment. */
interface PageAsOf extends Omit<HistoryPageRequest, "position"> {
  readonly at: Moment;
  /** The parameter that named the moment. */
  readonly parameter: string;
}

/**
 * Answers with the stretch, and with the prefix of the log that the moment came to. Fails where the permission history
 * does not reach it in time.
 */
export async function pageAsOf(
  { at, parameter, ...request }: PageAsOf,
  services: HistoryServices,
): QueryResult<{ readonly asOf: AsOf; readonly page: HistoryPage }> {
  const { progress, patienceMs, page } = services;
  const moment = await resolveMoment(at, services, parameter);
  if (!moment.ok) return moment;
  const { position } = moment.value;
  const started = performance.now();
  if (!(await progress.reached(position, patienceMs)))
    return failed({ type: "HistoryBehind", waitedMs: Math.round(performance.now() - started) });
  const answer = await page({ ...request, position: Number(position) });
  return answer.ok ? ok({ asOf: moment.value, page: answer.value }) : answer;
}

/**
 * Questions about more than one person or document. Each is resolved to a prefix of the log, and waits until the
 * permission history has reached that.
 */
export function createHistory(services: HistoryServices): AuditQueries["history"] {
  return async ({ question, at, next, count }): QueryResult<HistoryAnswerPage> => {
    const offset = next?.offset ?? 0;
    const moment: Pick<PageAsOf, "at" | "parameter"> =
      next === null ? { at, parameter: "at" } : { at: { kind: "position", ...next }, parameter: "next" };
    const answer = await pageAsOf({ question, ...moment, offset, count }, services);
    if (!answer.ok) return answer;
    const { asOf, page } = answer.value;
    const { items, hasMore, ...rest } = page;
    return ok({
      items: [...items],
      ...rest,
      ...describeAsOf(asOf),
      ...(hasMore && { next: formatPageToken({ ...asOf, offset: offset + items.length, list: 0 }) }),
    });
  };
}
