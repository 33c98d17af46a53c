import { createHash } from "node:crypto";
import type { CommandContext } from "../../../../commands/commands.js";
import type { AuditQueries, TriedRequest, WhatIfAnswer, WhatIfItem, TriedOutcome } from "../../auditQueries.js";
import { largestTotal, type ChangedItem, type HistoryAnswerPage } from "../../historyQuestions.js";
import type { QueryResult } from "../../../../queries/queries.js";
import { formatPageToken, type PageToken } from "../../../shared/pageToken.js";
import { failed, ok } from "../../../shared/result.js";
import type { DescribedRoute } from "../../../http/route.js";
import type { RouteServices } from "../../../http/routeServices.js";
import type { OpenTrial } from "../../trial/trial.js";
import type { DomainEvent } from "../../../events/domainEvent.js";
import type { Position } from "../../../shared/position.js";
import { isCommandRoute, type CommandRoute } from "../../../http/commandRoute.js";
import { checked, refusal, valueOf } from "../../../http/envelopes.js";
import { paramsReader, createRouteFinder, type FindRoute } from "../../../http/router.js";
import { localTarget } from "../../../http/edge.js";
import { RefusedRequest } from "../../../http/refusedRequest.js";
import { parseQueryString } from "../../../http/validation/parameters.js";

interface WhatIfServices extends Pick<RouteServices, "intake"> {
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
      total_relation: Math.max(totals.gains, totals.losses) >= largestTotal ? "gte" : "eq",
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

/** The portion of a question that asks for the number alone. */
const none: Portion = { offset: 0, count: 0 };

const firstList = ({ next }: WhatIfPage): number => next?.list ?? 0;

/** What a page takes of a list, with as many items on it as there are already. */
function portionOf(page: WhatIfPage, list: number, taken: number): Portion {
  if (list < firstList(page)) return none;
  return { offset: list === firstList(page) ? (page.next?.offset ?? 0) : 0, count: page.count - taken };
}

/** What came of requests that were tried. */
interface Tried {
  /** Up to where the log counted. */
  readonly position: Position;
  /** In epoch milliseconds. */
  readonly time: number | null;
  readonly outcomes: TriedOutcome[];
  readonly events: readonly DomainEvent[];
  /** null: not counted yet. */
  readonly totals: { readonly gains: number; readonly losses: number } | null;
}

/** Somebody is in the middle of as many; others are tried again, which takes longer and comes to the same. */
const mostKept = 8;

/** What was tried for a page that is not the last: the next one need not try it again. */
class TriedLately {
  private readonly kept = new Map<string, Tried>();

  find(requests: readonly TriedRequest[], next: PageToken | null): Tried | null {
    return next === null ? null : (this.kept.get(keyOf(requests, next.position)) ?? null);
  }

  keep(requests: readonly TriedRequest[], tried: Tried): void {
    const key = keyOf(requests, tried.position);
    this.kept.delete(key);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= mostKept && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, tried);
  }
}

const keyOf = (requests: readonly TriedRequest[], position: Position): string =>
  `${position} ${createHash("sha256").update(JSON.stringify(requests)).digest("base64")}`;

/** What requests are tried with: commands on a log that forgets. */
type TrialServices = Pick<RouteServices, "commands" | "intake">;

/** The routes whose requests can be tried: those of the Indexing API that give one command. */
export const isTriable = (route: DescribedRoute): route is CommandRoute =>
  isCommandRoute(route) && route.access === "serviceAccount";

/** Gives the commands that requests ask for, one after the other; `services` decide what comes of it. */
export async function tryRequests(
  requests: readonly TriedRequest[],
  routes: readonly DescribedRoute[],
  services: TrialServices,
  context: CommandContext,
): Promise<TriedOutcome[]> {
  const find = createRouteFinder(routes);
  const outcomes: TriedOutcome[] = [];
  for (const request of requests) {
    const { status, body } = await answerOf(request, find, services, context);
    outcomes.push({ method: request.method, path: request.path, status, detail: detailOf(body) });
  }
  return outcomes;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answerOf(
  request: TriedRequest,
  find: FindRoute<DescribedRoute>,
  services: TrialServices,
  context: CommandContext,
): Promise<Answer> {
  try {
    return { status: 200, body: await carriedOut(request, find, services, context) };
  } catch (error) {
    if (error instanceof RefusedRequest) return error.refusal;
    throw error;
  }
}

async function carriedOut(
  request: TriedRequest,
  find: FindRoute<DescribedRoute>,
  { commands, intake }: TrialServices,
  context: CommandContext,
): Promise<unknown> {
  const [path = "", ...search] = localTarget(request.path).split("?");
  const route = find(request.method.toUpperCase(), path);
  if (route === null || !isTriable(route)) throw notTried(route?.whyNotTried);
  const params = paramsReader(route)(path);
  const query = route.query && checked(route.query.check(checked(parseQueryString(search.join("?")))));
  const body = route.body && checked(await route.body.check(withText(path, request.body), { intake }));
  const command = route.toCommand({ params, query, body });
  return route.toAnswer(valueOf(await route.run(command, context, commands)).value, command);
}

const notTried = (why: string | undefined): RefusedRequest =>
  new RefusedRequest(
    why === undefined
      ? refusal(404, "Only requests of the Indexing API that change something can be tried.")
      : refusal(501, why),
  );

/** One line about an answer of the API, whichever it is (spec: Errors, Document index result). */
function detailOf(body: unknown): string | null {
  const { detail, details, results } = (body ?? {}) as {
    detail?: unknown;
    details?: { message?: unknown };
    results?: readonly { document_id: string; message: string }[];
  };
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail))
    return (detail as readonly { loc: unknown[]; msg: string }[])
      .map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)
      .join("; ");
  if (typeof details?.message === "string") return details.message;
  return results === undefined ? null : results.map((result) => `${result.document_id}: ${result.message}`).join(" ");
}

/** What a document that is tried without its text is taken to say. */
const placeholder = "what-if";

/**
 * A request to index documents, with a text for those that carry none: who may see a document does not depend on it,
 * and a person who asks what would be need not have it. Anything else stays as it is.
 */
function withText(path: string, body: unknown): unknown {
  if (path !== "/api/indexing/documents" || !isObject(body)) return body;
  const { documents } = body;
  return { ...body, documents: Array.isArray(documents) ? documents.map(filled) : filled(documents) };
}

function filled(document: unknown): unknown {
  if (!isObject(document)) return document;
  const { body = {} } = document;
  if (!isObject(body) || isGiven(body["text_content"]) || isGiven(body["binary_base64"])) return document;
  return { ...document, body: { mime_type: "text/plain", ...body, text_content: placeholder } };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A stretch of those who gain and those who lose. */
interface WhatIfPage {
  readonly count: number;
  /** Where the previous page ended; null for the first. */
  readonly next: PageToken | null;
}

/** Tries requests and tells what would come of them, page by page, all as of one moment. Writes nothing. */
export type WhatIf = (
  requests: readonly TriedRequest[],
  context: CommandContext,
  page: WhatIfPage,
) => QueryResult<WhatIfAnswer>;
