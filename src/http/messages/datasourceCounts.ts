import { json } from "typia";
import type { DatasourceCounts } from "../../audit/auditQueries.js";
import { answerMessage } from "../validation/message.js";

/** How much a datasource holds. */
export interface DatasourceCountsAnswer {
  counts: { datasource: string; users: number; groups: number; documents: number }[];
}

export const datasourceCountsAnswer = answerMessage(json.schema<DatasourceCountsAnswer>());

/** The counts of every datasource, by name. */
export const toDatasourceCountsAnswer = (counts: readonly DatasourceCounts[]): DatasourceCountsAnswer => ({
  counts: counts.map(({ datasource, users, groups, documents }) => ({ datasource, users, groups, documents })),
});
