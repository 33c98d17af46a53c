import type { Position } from "../../shared/position.js";
import { failed, ok } from "../../shared/result.js";
import { UnreadableEvent, ReadModelUnavailable } from "../../shared/failures.js";
import { describeAsOf, resolveMoment, type MomentServices } from "../asOf/moment.js";
import type { AccessAnswer, AskAccess, AuditQueries, MissingFact } from "../auditQueries.js";
import type { LogReader, LogClock } from "../ports/log.js";
import {
  type IncarnationInterval,
  type StreamTimelines,
  nameAt,
  type GroupGraphTimeline,
} from "../timeline/streamTimelines.js";
import { findChain, type Chain } from "./findChain.js";
import { findMissing } from "./findMissing.js";
import { endedBy, openAt, type Intervals, type Origin } from "../timeline/intervals.js";
import { type Missing, readSituation, type Situation, type AccessSubject, type FactAt } from "./situation.js";
import { changeWithoutDatasource, findSmallestChange } from "./smallestChange.js";
import type { Email } from "../../shared/ids.js";
import type { AccessReader, CatalogueReader, SearchReader } from "../../../queries/ports.js";
import {
  type DocumentReference,
  type StillServed,
  decidedByDefault,
  describeTimes,
  type ExplainedFact,
} from "../auditFacts.js";
import type { DomainEvent, RecordedEvent } from "../../events/domainEvent.js";

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

/** What a person's question would be answered from now. */
export interface ServedReaders {
  readonly search: Pick<SearchReader, "find" | "position">;
  readonly access: Pick<AccessReader, "holdsAny" | "isParked" | "position">;
  readonly catalogue: Pick<CatalogueReader, "find" | "position">;
}

/** Why a document that the log grants is not served yet, as check-access would find it; null: it is. */
async function findUnserved(
  readers: ServedReaders,
  { datasource, documentId, datasourceId, email, position }: AccessSubject,
): Promise<Missing | null> {
  const { search, access, catalogue } = readers;
  const name = `${datasource}/${documentId}`;
  const reached = await reachedBy(readers, position);
  const registered = await catalogue.find(datasource);
  if (registered?.datasourceId !== datasourceId) return reached.catalogue ? differs(name) : projecting(name);
  if (await access.isParked(datasourceId)) {
    return {
      kind: "parked",
      detail: `It is granted, but an event about the groups or people of ${datasource} could not be applied: until an operator has repaired that, nobody sees its documents.`,
      ended: null,
    };
  }
  const stored = await search.find(datasource, documentId);
  if (stored === null && !reached.search) return projecting(name);
  if (stored === null) {
    return {
      kind: "parked",
      detail: `It is granted, but the search index does not hold ${name}: an event about it could not be applied, and until an operator has repaired that, nobody sees it.`,
      ended: null,
    };
  }
  if (await access.holdsAny(datasourceId, email, stored.tokens)) return null;
  return reached.search && reached.access ? differs(name) : projecting(name);
}

/**
 * Tells that a document which the log refuses at this position is served all the same, as check-access would find it;
 * null where it is not.
 */
async function findStillServed(
  readers: ServedReaders,
  { datasource, documentId, user }: DocumentReference & { readonly user: Email },
  position: Position,
): Promise<StillServed | null> {
  const { search, access, catalogue } = readers;
  const reached = await reachedBy(readers, position);
  const registered = await catalogue.find(datasource);
  if (registered === null || (await access.isParked(registered.datasourceId))) return null;
  const stored = await search.find(datasource, documentId);
  if (stored === null || !(await access.holdsAny(registered.datasourceId, user, stored.tokens))) return null;
  const name = `${datasource}/${documentId}`;
  return reached.search && reached.access && reached.catalogue
    ? {
        kind: "served_differently",
        detail: `What is served lets ${user} see ${name} all the same: let an operator compare the read models with the log.`,
      }
    : {
        kind: "being_projected",
        detail: `What is served of ${name} has not come so far yet: until it has, ${user} still sees it. Ask again in a moment.`,
      };
}

/**
 * Whether each reader has reached a position. To be asked before anything else is, so that a reader that gets there
 * meanwhile is not blamed.
 */
async function reachedBy(
  { search, access, catalogue }: ServedReaders,
  position: Position,
): Promise<{ readonly [Reader in keyof ServedReaders]: boolean }> {
  const [searched, accessed, catalogued] = await Promise.all([
    search.position(),
    access.position(),
    catalogue.position(),
  ]);
  return { search: searched >= position, access: accessed >= position, catalogue: catalogued >= position };
}

const projecting = (name: string): Missing => ({
  kind: "being_projected",
  detail: `It is granted, but what is served of ${name} has not come so far yet: ask again in a moment.`,
  ended: null,
});

const differs = (name: string): Missing => ({
  kind: "served_differently",
  detail: `It is granted, but what is served of ${name} says otherwise: let an operator compare the read models with the log.`,
  ended: null,
});

/** Where facts are read, and when they were. */
interface DatedLog {
  readonly log: LogReader;
  readonly clock: LogClock;
}

/**
 * The links of a chain, from the document down to the person, and what holds them: the registration and the datasource.
 */
function linksOf(
  chain: Chain,
  { email, datasource, documentId, position }: AccessSubject,
  graph: GroupGraphTimeline,
  registered: Origin,
  incarnation: IncarnationInterval,
): readonly FactAt[] {
  const document = `${datasource}/${documentId}`;
  const grant = { origin: chain.grant.opened };
  const existence: readonly FactAt[] = [
    { fact: `${email} is registered on ${datasource}`, origin: registered },
    { fact: `the datasource ${datasource} exists`, origin: incarnation.opened },
  ];
  if (chain.kind !== "group") {
    const whom = chain.kind === "user" ? email : `everybody who is registered on ${datasource}`;
    return [{ fact: `${document} grants ${whom}`, ...grant }, ...existence];
  }
  const { naming, steps } = chain;
  const memberships = steps.map(({ group, membership }, index): FactAt => {
    const member = steps[index + 1];
    const contained = member === undefined ? email : nameAt(graph, member.group, position);
    return { fact: `${nameAt(graph, group, position)} contains ${contained}`, origin: membership.opened };
  });
  return [
    { fact: `${document} grants the group ${naming.name}`, ...grant },
    { fact: `there is a group named ${naming.name}`, origin: naming.opened },
    ...memberships,
    ...existence,
  ];
}

/** Reads what the log itself says of each fact. */
function readFacts(source: DatedLog, facts: readonly FactAt[]): Promise<ExplainedFact[]> {
  return Promise.all(facts.map((fact) => readFact(source, fact)));
}

/** Reads what the log itself says of a fact. */
async function readFact({ log, clock }: DatedLog, { fact, origin }: FactAt): Promise<ExplainedFact> {
  const { stream, revision } = origin;
  const [recorded] = await log.readStream(stream, revision, 1);
  if (recorded?.revision !== revision)
    throw new Error(`The log does not hold revision ${revision} of ${stream} any more.`);
  return describeEvent(fact, recorded, await timeOf(clock, recorded));
}

/** Whether a document was pushed without permissions, and its datasource decided. */
const isByDefault = (event: DomainEvent): boolean =>
  event.type === "DocumentIndexed" && event.data.access.isDefault === true;

/** By the log's clock. While that has not come so far, what the event says of itself. */
async function timeOf(clock: LogClock, { position, metadata }: RecordedEvent): Promise<string> {
  const time = await clock.timeAt(position).catch((error: unknown) => {
    if (error instanceof ReadModelUnavailable) return null;
    throw error;
  });
  return time === null ? metadata.at : new Date(time).toISOString();
}

function describeEvent(
  fact: string,
  { stream, revision, position, event, metadata }: RecordedEvent,
  time: string,
): ExplainedFact {
  const explained = {
    ...{ fact, event: event.type, stream, revision, position: position.toString() },
    ...describeTimes(time, metadata.at),
    by: metadata.by,
  };
  return isByDefault(event) ? decidedByDefault(explained) : explained;
}
