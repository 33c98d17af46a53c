import { catalogue } from "../../projections/catalogue/readModel.js";
import { credentials } from "../../projections/credentials/project.js";
import { groupClosure } from "../../projections/groupClosure/project.js";
import { bindQueries } from "../../queries/queries.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { toPosition, type Position } from "../../src/shared/position.js";
import { deliver } from "../support/givenProjection.js";
import { recordEvents } from "../support/recordEvents.js";
import { tokens } from "../support/readModelWriters.js";
import { openTemporaryReadModels } from "../support/temporaryReadModels.js";
import { ScriptedSearch } from "./scriptedSearch.js";

/**
 * All questions over real read models of access, catalogue and credentials, and a search index that is told what it
 * holds.
 */
export function openQuestions() {
  const readModels = openTemporaryReadModels();
  const search = new ScriptedSearch();
  const readers = {
    ...readModels.readers,
    search,
    tokens,
    productName: "amber",
    consistencyTimeoutMs: 1,
    isInLog: async (position: Position) => position <= logEnd,
  };
  const queries = bindQueries((query) => query(readers));
  let last = 0;
  let logEnd = toPosition(1_000);
  return {
    queries,
    search,
    /** Where the log ends, whatever is projected. */
    logEndsAt: (position: Position): void => void (logEnd = position),
    /** Projects these events everywhere; `parked`: as events of the group closure that cannot be applied. */
    async happened(events: readonly DomainEvent[], { parked = false } = {}): Promise<void> {
      const recorded = recordEvents(events, last).map((event) => ({ ...event, revision: event.revision + last / 2 }));
      last += 2 * events.length;
      search.projectedUpTo = recorded.at(-1)?.position ?? search.projectedUpTo;
      await deliver({ projection: groupClosure, writer: readModels.writers.groupClosure }, recorded, {
        isParked: parked,
      });
      if (parked) return;
      await deliver({ projection: catalogue, writer: readModels.writers.catalogue }, recorded);
      await deliver({ projection: credentials, writer: readModels.writers.credentials }, recorded);
    },
    close: () => readModels.close(),
  };
}

export type Questions = ReturnType<typeof openQuestions>;
