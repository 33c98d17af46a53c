import type { CommandContext } from "../../../../commands/commands.js";
import type { AuditQueries, TriedRequest, WhatIfAnswer, WhatIfItem } from "../../auditQueries.js";
import { mostCounted, type ChangedItem, type HistoryAnswerPage } from "../../historyQuestions.js";
import type { QueryResult } from "../../../../queries/queries.js";
import { formatPageToken } from "../../../shared/pageToken.js";
import { failed, ok } from "../../../shared/result.js";
import type { DescribedRoute } from "../../../http/route.js";
import type { RouteServices } from "../../../http/routeServices.js";
import type { OpenTrial } from "../../trial/trial.js";
import { TriedLately, type Tried } from "./triedLately.js";
import { tryRequests } from "./tryRequests.js";
import type { WhatIf, WhatIfPage } from "./whatIf.js";

export interface WhatIfServices extends Pick<RouteServices, "intake"> {
  readonly audit: Pick<AuditQueries, "history">;
  readonly openTrial: OpenTrial;
  now(): Date;
}

/**
 * Gives the commands of requests of the Indexing API on a log that forgets, and compares who may see what before and
 * after.
 */
export function createWhatIf(
  routes: readonly DescribedRoute[],
  { audit, openTrial, intake, now }: WhatIfServices,
): WhatIf {
  const lately = new TriedLately();
  const tryOut = async (
    requests: readonly TriedRequest[],
    context: CommandContext,
    { next }: WhatIfPage,
  ): Promise<Tried | null> => {
    const trial = await openTrial(next?.position ?? null);
    if (trial === null) return null;
    const { commands, position, events } = trial;
    const outcomes = await tryRequests(requests, routes, { commands, intake }, context);
    return { position, time: next === null ? now().getTime() : next.time, outcomes, events: events(), totals: null };
  };
  return async (requests, context, page) => {
    const tried = lately.find(requests, page.next) ?? (await tryOut(requests, context, page));
    if (tried === null) return failed({ type: "MomentInFuture", parameter: "next" });
    const told = await tell(tried, audit, page);
    if (!told.ok) return told;
    const { asOf, items, totals, next } = told.value;
    if (next !== null) lately.keep(requests, { ...tried, totals });
    return ok({
      ...asOf,
      outcomes: page.next === null ? tried.outcomes : [],
      items: [...items],
      ...{ total: totals.gains + totals.losses, total_gains: totals.gains, total_losses: totals.losses },
      total_relation: Math.max(totals.gains, totals.losses) >= mostCounted ? "gte" : "eq",
      ...(next !== null && { next: formatPageToken({ position: tried.position, time: tried.time, ...next }) }),
    });
  };
}

/** In the order in which they are told. */
const changes = [
  { question: "gains", change: "gains" },
  { question: "losses", change: "loses" },
] as const;

interface Told {
  readonly asOf: Pick<WhatIfAnswer, "at" | "position">;
  readonly items: readonly WhatIfItem[];
  readonly totals: NonNullable<Tried["totals"]>;
  /** Where the next page begins; null where there is none. */
  readonly next: { readonly list: number; readonly offset: number } | null;
}

/** A page of both lists, one behind the other, and how long each is. */
async function tell(tried: Tried, audit: Pick<AuditQueries, "history">, page: WhatIfPage): QueryResult<Told> {
  const asked = { position: tried.position, time: tried.time, list: 0 };
  const told = {
    asOf: { at: null, position: String(tried.position) } as Told["asOf"],
    items: [] as WhatIfItem[],
    totals: { gains: 0, losses: 0, ...tried.totals },
  };
  let next: Told["next"] = null;
  for (const [list, { question, change }] of changes.entries()) {
    const portion: Portion = next === null ? portionOf(page, list, told.items.length) : none;
    const isCounted = tried.totals !== null && (next !== null || list < firstList(page));
    if (isCounted) continue;
    const answer = await audit.history({
      question: { kind: "difference", change: question, events: tried.events },
      at: { kind: "now" },
      next: { ...asked, offset: portion.offset },
      count: portion.count,
    });
    if (!answer.ok) return answer;
    const { items, total = 0, next: more, at, position } = answer.value as HistoryAnswerPage<ChangedItem>;
    told.asOf = { at, position };
    told.totals[question] = total;
    told.items.push(...items.map((item) => ({ change, ...item })));
    if (more !== undefined && list >= firstList(page)) next ??= { list, offset: portion.offset + items.length };
  }
  return ok({ ...told, next });
}

interface Portion {
  readonly offset: number;
  readonly count: number;
}

/** Asked for how many there are alone. */
const none: Portion = { offset: 0, count: 0 };
const firstList = ({ next }: WhatIfPage): number => next?.list ?? 0;

/** What a page takes of a list, with as many items on it as there are already. */
function portionOf(page: WhatIfPage, list: number, taken: number): Portion {
  if (list < firstList(page)) return none;
  return { offset: list === firstList(page) ? (page.next?.offset ?? 0) : 0, count: page.count - taken };
}
