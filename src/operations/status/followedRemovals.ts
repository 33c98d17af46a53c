import { setImmediate as nextTurn } from "node:timers/promises";
import { BulkRemovals } from "../../audit/removals/bulkRemovals.js";
import { openSqliteRemovals } from "../../adapters/permissionHistory/sqlite/openSqliteRemovals.js";
import type { BulkRemoval } from "../../readModels/projectionStatus.js";
import { historyFile, standInFor } from "../../composition/localHistory.js";
import type { ProjectionFeed } from "../../composition/projectionFeed.js";

interface Opened {
  readonly version: number;
  readonly removals: ReturnType<typeof openSqliteRemovals>;
  readonly bulk: BulkRemovals;
}

/** Bulk removals, of whichever version of the permission history is served in this data folder when somebody asks. */
export class FollowedRemovals {
  private opened: Opened | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dataDir: string,
    private readonly feed: ProjectionFeed,
  ) {}

  /** One after the other; those that ask at once share a look. */
  list(): Promise<readonly BulkRemoval[]> {
    const listing = this.last.then(() => this.current().bulk.list());
    this.last = listing.catch(() => undefined);
    return listing;
  }

  async close(): Promise<void> {
    await this.last;
    this.opened?.removals.close();
  }

  private current(): Opened {
    const state = this.feed.of("permissionHistory");
    const version = standInFor(this.dataDir, state) ?? state.live;
    if (this.opened?.version === version) return this.opened;
    this.opened?.removals.close();
    const removals = openSqliteRemovals({ file: historyFile(this.dataDir, version) });
    this.opened = {
      version,
      removals,
      bulk: new BulkRemovals(
        removals,
        () => Date.now(),
        () => nextTurn(),
      ),
    };
    return this.opened;
  }
}
