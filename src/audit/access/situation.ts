import { datasourceStream, documentStream, groupGraphStream } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import type { AskAccess, MissingFact } from "../auditQueries.js";
import {
  incarnationTimeline,
  type IncarnationInterval,
  type StreamTimelines,
  documentTimeline,
  type DocumentTimeline,
  type PersonTimeline,
  loadPerson,
  groupGraphTimeline,
  type GroupGraphTimeline,
} from "../timeline/streamTimelines.js";
import { openAt, type Intervals, type Origin } from "../timeline/intervals.js";
import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../shared/ids.js";

/** All that decides whether a person sees a document: five streams (docs/design/audit.md). */
export interface Situation {
  readonly subject: AccessSubject;
  readonly incarnation: IncarnationInterval;
  readonly document: DocumentTimeline;
  readonly person: PersonTimeline;
  readonly graph: GroupGraphTimeline;
}

/**
 * Reads the streams up to a position. Where no datasource bears the name then, answers with the name's incarnations.
 */
export async function readSituation(
  timelines: StreamTimelines,
  { user: email, datasource, documentId }: AskAccess,
  position: Position,
): Promise<Situation | Intervals<IncarnationInterval>> {
  const incarnations = await timelines.load(incarnationTimeline, datasourceStream(datasource), position);
  const incarnation = openAt(incarnations, position);
  if (incarnation === null) return incarnations;
  const { datasourceId } = incarnation;
  const [document, person, graph] = await Promise.all([
    timelines.load(documentTimeline, documentStream(datasourceId, documentId), position),
    loadPerson(timelines, { datasourceId, email }, position),
    timelines.load(groupGraphTimeline, groupGraphStream(datasourceId), position),
  ]);
  return { subject: { email, datasource, documentId, datasourceId, position }, incarnation, document, person, graph };
}

/** The person and the document that a question about access is about, on which incarnation, and as of which moment. */
export interface AccessSubject {
  readonly email: Email;
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
  readonly datasourceId: DatasourceId;
  readonly position: Position;
}

/** What fails first, and the event that ended it where it once was. */
export interface Missing {
  readonly kind: MissingFact["kind"];
  /** One sentence. */
  readonly detail: string;
  readonly ended: FactAt | null;
}

/** The groups to which a direct member of `direct` belongs at a position: those, and all above them. */
export function closureAt(
  direct: ReadonlyMap<GroupId, Intervals>,
  graph: GroupGraphTimeline,
  position: Position,
): ReadonlySet<GroupId> {
  const reached = new Set<GroupId>();
  join(reached, direct, position);
  // A set keeps its order and takes additions while it is walked.
  for (const group of reached)
    join(reached, graph.groups.get(group)?.parents ?? new Map<GroupId, Intervals>(), position);
  return reached;
}

/** A group with all above it. */
export function coneAt(group: GroupId, graph: GroupGraphTimeline, position: Position): ReadonlySet<GroupId> {
  return new Set([
    group,
    ...closureAt(graph.groups.get(group)?.parents ?? new Map<GroupId, Intervals>(), graph, position),
  ]);
}

function join(reached: Set<GroupId>, parents: ReadonlyMap<GroupId, Intervals>, position: Position): void {
  for (const [group, intervals] of parents)
    if (!reached.has(group) && openAt(intervals, position) !== null) reached.add(group);
}

/** Something that was so, and where the event stands that made it so. */
export interface FactAt {
  readonly fact: string;
  readonly origin: Origin;
}
