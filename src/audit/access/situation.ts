import { datasourceStream, documentStream, groupGraphStream } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import type { AskAccess } from "../auditQueries.js";
import { incarnationTimeline, type IncarnationInterval } from "../timeline/incarnationTimeline.js";
import { documentTimeline, type DocumentTimeline } from "../timeline/documentTimeline.js";
import { groupGraphTimeline, type GroupGraphTimeline } from "../timeline/groupGraphTimeline.js";
import { openAt, type Intervals } from "../timeline/intervals.js";
import { loadPerson } from "../timeline/personFacts.js";
import type { PersonTimeline } from "../timeline/personTimeline.js";
import type { StreamTimelines } from "../timeline/streamTimelines.js";
import type { AccessSubject } from "./accessSubject.js";

/** All that decides whether a person sees a document: five streams (ADR 12). */
export interface Situation {
  readonly subject: AccessSubject;
  readonly incarnation: IncarnationInterval;
  readonly document: DocumentTimeline;
  readonly person: PersonTimeline;
  readonly graph: GroupGraphTimeline;
}

/** Reads the streams up to a position. Where no datasource bears the name then, answers with the name's incarnations. */
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
