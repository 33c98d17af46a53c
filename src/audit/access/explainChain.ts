import type { DomainEvent, RecordedEvent } from "../../events/domainEvent.js";
import { decidedByDefault, describeTimes, type ExplainedFact } from "../auditFacts.js";
import type { LogClock, LogReader } from "../ports/log.js";
import { ReadModelUnavailable } from "../../shared/readModelUnavailable.js";
import type { IncarnationInterval } from "../timeline/incarnationTimeline.js";
import type { Chain } from "./findChain.js";
import { nameAt, type GroupGraphTimeline } from "../timeline/groupGraphTimeline.js";
import type { Origin } from "../timeline/intervals.js";
import type { AccessSubject } from "./accessSubject.js";

/** Something that was so, and where the event stands that made it so. */
export interface FactAt {
  readonly fact: string;
  readonly origin: Origin;
}

/** Where facts are read, and when they were. */
export interface DatedLog {
  readonly log: LogReader;
  readonly clock: LogClock;
}

/**
 * The links of a chain, from the document down to the person, and what holds them: the registration and the datasource.
 */
export function linksOf(
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
export function readFacts(source: DatedLog, facts: readonly FactAt[]): Promise<ExplainedFact[]> {
  return Promise.all(facts.map((fact) => readFact(source, fact)));
}

/** Reads what the log itself says of a fact. */
export async function readFact({ log, clock }: DatedLog, { fact, origin }: FactAt): Promise<ExplainedFact> {
  const { stream, revision } = origin;
  const [recorded] = await log.readStream(stream, revision, 1);
  if (recorded?.revision !== revision)
    throw new Error(`The log does not hold revision ${revision} of ${stream} any more.`);
  return describeEvent(fact, recorded, await timeOf(clock, recorded));
}

/** Whether a document was pushed without permissions, and its datasource decided. */
export const isByDefault = (event: DomainEvent): boolean =>
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
