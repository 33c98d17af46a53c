import { toldOf } from "../../analysis/analyseQuery.js";
import { excessOf } from "../../analysis/queryBounds.js";
import type { Datasource } from "../../events/datasource.js";
import { ReadModelUnavailable } from "../../shared/failures.js";
import { failed, ok } from "../../shared/result.js";
import { waitUntilProjected } from "../../../queries/consistency.js";
import { resolveDatasourceFilters } from "../../../queries/search/search.js";
import type { Checkpointed } from "../../../queries/ports.js";
import type { AuditQueries } from "../auditQueries.js";
import { describeAsOf } from "../asOf/moment.js";
import { pageAsOf, type HistoryServices } from "../asOf/history.js";
import type { NamedDocuments, PastSearchReader } from "../ports/pastSearch.js";

export interface PastSearchServices extends HistoryServices {
  /** The texts and datasources of today. */
  readonly served: {
    readonly search: Checkpointed & PastSearchReader;
    readonly catalogue: Checkpointed & { list(): Promise<readonly Datasource[]> };
    /** Aborts once others are served: a caller that waits for a position in these waits in vain. Left out: never. */
    readonly superseded?: AbortSignal;
  };
}

/** One for each registration of a datasource: more than there will ever be. */
const mostRegistrations = 1_000_000;

/**
 * Search as of a moment: today's ranking over today's texts, of the documents that the person could see then. The
 * permission history names them; fails, as it does, while it is behind or an event of a datasource is parked.
 */
export function createPastSearch(services: PastSearchServices): AuditQueries["search"] {
  const { served, patienceMs, log } = services;
  return async ({ person, at, atLeast, datasources, fileTypes, modifiedFrom, modifiedTo, ...asked }) => {
    const excess = excessOf(asked.query);
    if (excess !== null) return failed({ type: "QueryTooLarge", ...excess });
    const consistent = await waitUntilProjected(atLeast, [served.search, served.catalogue], {
      consistencyTimeoutMs: patienceMs,
      isInLog: async (position) => position <= (await log.head()),
      superseded: served.superseded,
    });
    if (!consistent.ok) return consistent;
    const resolved =
      datasources === null ? ok(null) : resolveDatasourceFilters(datasources, await served.catalogue.list());
    if (!resolved.ok) return resolved;
    const visible = await pageAsOf(
      {
        question: { kind: "visibleDocuments", user: person },
        at,
        parameter: "as_of",
        offset: 0,
        count: mostRegistrations,
      },
      services,
    );
    if (!visible.ok) return visible;
    const { asOf, page } = visible.value;
    const filters = { datasources: resolved.value, fileTypes, modifiedFrom, modifiedTo };
    const among = page.items as readonly NamedDocuments[];
    const found = await served.search.searchAmong({ ...asked, among, filters });
    if (found.isUnread === true) throw new ReadModelUnavailable("There was no time to read what the search asks for.");
    return ok({ ...found, ...toldOf(asked.query), ...describeAsOf(asOf) });
  };
}
