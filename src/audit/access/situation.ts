import { datasourceStream, documentStream, groupGraphStream, userStream } from "../../events/streams.js";
import type { Position } from "../../shared/position.js";
import type { AskAccess } from "../auditQueries.js";
import { datasourceHistory, type IncarnationInterval } from "./datasourceHistory.js";
import { documentHistory, type DocumentHistory } from "./documentHistory.js";
import { graphHistory, type GraphHistory } from "./graphHistory.js";
import { openAt, type Timeline } from "./intervals.js";
import { personHistory, type PersonHistory } from "./personHistory.js";
import type { StreamHistories } from "./streamHistories.js";
import type { Subject } from "./subject.js";

/** All that decides whether a person sees a document: four streams (ADR 12). */
export interface Situation {
  readonly subject: Subject;
  readonly incarnation: IncarnationInterval;
  readonly document: DocumentHistory;
  readonly person: PersonHistory;
  readonly graph: GraphHistory;
}

/** Reads the streams up to a position; where no datasource bears the name then, what there is of that name. */
export async function readSituation(
  histories: StreamHistories,
  { user: email, datasource, documentId }: AskAccess,
  position: Position,
): Promise<Situation | Timeline<IncarnationInterval>> {
  const incarnations = await histories.load(datasourceHistory, datasourceStream(datasource), position);
  const incarnation = openAt(incarnations, position);
  if (incarnation === null) return incarnations;
  const { datasourceId } = incarnation;
  const [document, person, graph] = await Promise.all([
    histories.load(documentHistory, documentStream(datasourceId, documentId), position),
    histories.load(personHistory, userStream(datasourceId, email), position),
    histories.load(graphHistory, groupGraphStream(datasourceId), position),
  ]);
  return { subject: { email, datasource, documentId, datasourceId, position }, incarnation, document, person, graph };
}
