import type { Position } from "../../shared/position.js";
import { failed, ok } from "../../shared/result.js";
import { UnreadableEvent } from "../../shared/unreadableEvent.js";
import { describeAsOf, resolveMoment, type MomentServices } from "../asOf/moment.js";
import type { AccessAnswer, AskAccess, AuditQueries, MissingFact } from "../auditQueries.js";
import type { LogReader } from "../ports/log.js";
import type { IncarnationInterval } from "../timeline/incarnationTimeline.js";
import { linksOf, readFact, readFacts, type DatedLog } from "./explainChain.js";
import { findChain } from "./findChain.js";
import { findMissing } from "./findMissing.js";
import { endedBy, openAt, type Intervals } from "../timeline/intervals.js";
import type { Missing } from "./missing.js";
import { findStillServed, findUnserved, type ServedReaders } from "./served.js";
import { readSituation, type Situation } from "./situation.js";
import { changeWithoutDatasource, findSmallestChange } from "./smallestChange.js";
import type { StreamTimelines } from "../timeline/streamTimelines.js";

export interface AccessServices extends MomentServices {
  readonly log: LogReader;
  /** The streams are of the same log. */
  readonly timelines: StreamTimelines;
  readonly served: ServedReaders;
}

/** The answer, but for its moment. */
type Decision = Pick<AccessAnswer, "has_access" | "explanation" | "missing" | "still_served" | "smallest_change">;

/**
 * How often the log may move on while what is served is looked at, before a difference between the two is told as it
 * is.
 */
const mostLooks = 10;

/**
 * Decides whether a person may see a document on the streams of datasource, person, document and groups up to a
 * position, and explains why. A question about now also looks at what is served: what is granted and not served is a
 * no, and what is refused but served all the same is told.
 */
export function createAccess(services: AccessServices): AuditQueries["access"] {
  return async (question) => {
    for (let look = 1; ; look++) {
      const asOf = await resolveMoment(question.at, services);
      if (!asOf.ok) return asOf;
      const decided = await decide(services, question, asOf.value.position).catch(unlessUnreadable);
      if (decided === null) return failed({ type: "HistoryParked", datasource: question.datasource });
      const { has_access, ...decision } = decided;
      // What is served may have followed events that came after the look at the log.
      const differs = [decision.missing, decision.still_served].some((found) => found?.kind === "served_differently");
      const isOvertaken = differs && look < mostLooks && (await services.log.head()) !== asOf.value.position;
      if (!isOvertaken) return ok({ has_access, ...describeAsOf(asOf.value), ...decision });
    }
  };
}

/** What rests on an event that cannot be read is refused, not guessed. */
function unlessUnreadable(error: unknown): null {
  if (error instanceof UnreadableEvent) return null;
  throw error;
}

async function decide(services: AccessServices, question: AskAccess, position: Position): Promise<Decision> {
  const { served, timelines } = services;
  const isAboutNow = question.at.kind === "now";
  const situation = await readSituation(timelines, question, position);
  const links = Array.isArray(situation) ? null : linksAt(situation);
  if (Array.isArray(situation) || links === null) {
    const refusal = await refuse(services, question, situation, position);
    const stillServed = isAboutNow ? await findStillServed(served, question, position) : null;
    return { ...refusal, ...(stillServed !== null && { still_served: stillServed }) };
  }
  const explanation = await readFacts(services, links);
  const unserved = isAboutNow ? await findUnserved(served, situation.subject) : null;
  return unserved === null
    ? { has_access: true, explanation }
    : { has_access: false, explanation, missing: await describeMissing(services, unserved) };
}

async function refuse(
  services: DatedLog,
  question: AskAccess,
  situation: Situation | Intervals<IncarnationInterval>,
  position: Position,
): Promise<Decision> {
  if (Array.isArray(situation)) {
    const missing = await describeMissing(services, absentDatasource(question, situation, position));
    return { has_access: false, explanation: [], missing, smallest_change: changeWithoutDatasource(question) };
  }
  const missing = await describeMissing(services, findMissing(situation));
  return {
    has_access: false,
    explanation: [],
    missing,
    smallest_change: await findSmallestChange(services.log, situation),
  };
}

/** What makes it so at the position of the question; null where it is not so. */
function linksAt({ subject, incarnation, document, person, graph }: Situation): ReturnType<typeof linksOf> | null {
  const { email, position } = subject;
  const registration = openAt(person.registrations, position);
  if (registration === null || openAt(document.existence, position) === null) return null;
  const chain = findChain(email, document, person, graph, position);
  return chain && linksOf(chain, subject, graph, registration.opened, incarnation);
}

function absentDatasource(
  { datasource }: AskAccess,
  incarnations: Intervals<IncarnationInterval>,
  position: Position,
): Missing {
  const deleted = endedBy(incarnations, position);
  const ended = deleted && {
    fact: `the datasource ${datasource} was deleted`,
    origin: deleted.closed,
  };
  const detail =
    ended === null
      ? `There is no datasource named ${datasource}.`
      : `The datasource ${datasource} was deleted, with all its documents.`;
  return { kind: "datasource_absent", detail, ended };
}

async function describeMissing(source: DatedLog, { kind, detail, ended }: Missing): Promise<MissingFact> {
  return ended === null ? { kind, detail } : { kind, detail, ended: await readFact(source, ended) };
}
