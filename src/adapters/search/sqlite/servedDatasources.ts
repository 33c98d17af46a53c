import type { SearchFilters } from "../../../readModels/search.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";

/** A datasource is not served, or it is: then its documents pass the filter not at all, all, or those of some subs. */
export const passing = { notServed: 0, none: 1, whole: 2, bySub: 3 } as const;

/** How far the datasources' documents pass a filter. */
export interface ServedDatasources {
  readonly isNarrowed: boolean;
  /** One of {@link passing} by the datasource's number. */
  readonly modes: Uint8Array;
  /** A number that changes whenever datasources do. */
  readonly definitions: number;
  /** Numbers of subs and of child subs alike: they share one sequence. */
  readonly subs: ReadonlySet<number>;
}

/** Tells which datasources are served now, and how a filter narrows them. */
export class ServedDatasourceRows {
  private readonly served;
  private readonly listed;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    this.served = database.prepare<[], { id: number; name: string }>(
      "SELECT id, name FROM datasources WHERE status = 'served'",
    );
    this.listed = database
      .prepare<[number, string, string], number>(
        "SELECT id FROM subs WHERE datasource = ? AND parent_key = ? AND key = ?",
      )
      .pluck();
  }

  /** Call it in the read transaction in which the collection was refreshed. */
  within(filter: SearchFilters["datasources"]): ServedDatasources {
    const served = this.served.all();
    const modes = new Uint8Array(served.reduce((most, { id }) => Math.max(most, id), 0) + 1);
    const subs = new Set<number>();
    for (const { id, name } of served)
      modes[id] =
        filter === null
          ? passing.whole
          : this.modeOf(
              id,
              filter.filter((entry) => entry.datasource === name),
              subs,
            );
    return { isNarrowed: filter !== null, modes, subs, definitions: this.collection.definitions };
  }

  private modeOf(datasource: number, entries: NonNullable<SearchFilters["datasources"]>, subs: Set<number>): number {
    let mode = passing.none as number;
    for (const { sub, childSub } of entries) {
      if (sub === null) return passing.whole;
      const number =
        childSub === null ? this.listed.get(datasource, "", sub) : this.listed.get(datasource, sub, childSub);
      if (number === undefined) continue;
      subs.add(number);
      mode = passing.bySub;
    }
    return mode;
  }
}
