import type { SearchFilters } from "../../../readModels/search.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import type { Postings } from "./growingPostings.js";
import { numberOfFileType } from "./searchFileTypes.js";

/** How a datasource's documents pass the filter: none, all, or those of some subs. */
const hidden = 0;
const whole = 1;
const bySub = 2;

/** What a question may find: documents of these access classes, or these documents. */
export type Opened =
  /** 1 at the number of every access class that the person may see. */
  | { readonly by: "class"; readonly open: Uint8Array }
  /** 1 at the slot of every document that was named. */
  | { readonly by: "document"; readonly open: Uint8Array };

interface Limits {
  readonly opened: Opened;
  readonly datasources: ServedDatasources;
  /** 1 at the number of every file type that is asked for; null for all. */
  readonly fileTypes: Uint8Array | null;
  readonly modifiedFrom: number | null;
  readonly modifiedTo: number | null;
}

/** Which documents one search may show: alive, served, open to the person, and within the filters. */
export class Visibility {
  private readonly columns;
  private readonly open;
  private readonly isByClass;
  private readonly datasources;
  private readonly fileTypes;
  private readonly isModifiedFiltered: boolean;
  private readonly modifiedFrom: number;
  private readonly modifiedTo: number;

  constructor(collection: Collection, { opened, datasources, fileTypes, modifiedFrom, modifiedTo }: Limits) {
    this.columns = collection.columns;
    this.open = opened.open;
    this.isByClass = opened.by === "class";
    this.datasources = datasources;
    this.fileTypes = fileTypes;
    this.isModifiedFiltered = modifiedFrom !== null || modifiedTo !== null;
    this.modifiedFrom = modifiedFrom ?? Number.NEGATIVE_INFINITY;
    this.modifiedTo = modifiedTo ?? Number.POSITIVE_INFINITY;
  }

  shows(slot: number): boolean {
    const { columns } = this;
    if (columns.alive[slot] !== 1 || this.open[this.isByClass ? (columns.classes[slot] as number) : slot] !== 1)
      return false;
    const mode = this.datasources.modes[columns.datasources[slot] as number];
    if (mode !== whole && !(mode === bySub && this.isInSub(slot))) return false;
    if (this.fileTypes !== null && this.fileTypes[columns.fileTypes[slot] as number] !== 1) return false;
    if (!this.isModifiedFiltered) return true;
    const modified = columns.modified[slot] as number;
    return modified >= this.modifiedFrom && modified <= this.modifiedTo;
  }

  /** Those of the slots that may be shown. */
  shown(slots: Int32Array): Int32Array {
    const kept = new Int32Array(slots.length);
    let count = 0;
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number;
      if (this.shows(slot)) kept[count++] = slot;
    }
    return kept.subarray(0, count);
  }

  /**
   * How many documents of any of these postings may be shown, up to `most`. A document counts for each of the postings
   * that hold it.
   */
  countAny(postings: readonly Postings[], most: number): number {
    let shown = 0;
    for (const { slots, size } of postings) {
      for (let index = 0; index < size && shown < most; index++) if (this.shows(slots[index] as number)) shown += 1;
    }
    return shown;
  }

  private isInSub(slot: number): boolean {
    const { subs, childSubs } = this.columns;
    return this.datasources.subs.has(subs[slot] as number) || this.datasources.subs.has(childSubs[slot] as number);
  }
}

interface ServedDatasources {
  /** Indexed by the datasource's number. */
  readonly modes: Uint8Array;
  /** Numbers of subs and of child subs alike: they share one sequence. */
  readonly subs: ReadonlySet<number>;
}

/** Makes the visibility of a search from its filters and from the datasources that are served now. */
export class VisibilityRules {
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

  of(opened: Opened, filters: SearchFilters): Visibility {
    return new Visibility(this.collection, {
      opened,
      datasources: this.servedWithin(filters.datasources),
      fileTypes: filters.fileTypes === null ? null : fileTypesOf(filters.fileTypes),
      modifiedFrom: filters.modifiedFrom,
      modifiedTo: filters.modifiedTo,
    });
  }

  private servedWithin(filter: SearchFilters["datasources"]): ServedDatasources {
    const served = this.served.all();
    const modes = new Uint8Array(served.reduce((most, { id }) => Math.max(most, id), 0) + 1);
    const subs = new Set<number>();
    for (const { id, name } of served)
      modes[id] =
        filter === null
          ? whole
          : this.modeOf(
              id,
              filter.filter((entry) => entry.datasource === name),
              subs,
            );
    return { modes, subs };
  }

  private modeOf(datasource: number, entries: NonNullable<SearchFilters["datasources"]>, subs: Set<number>): number {
    let mode = hidden;
    for (const { sub, childSub } of entries) {
      if (sub === null) return whole;
      const number =
        childSub === null ? this.listed.get(datasource, "", sub) : this.listed.get(datasource, sub, childSub);
      if (number === undefined) continue;
      subs.add(number);
      mode = bySub;
    }
    return mode;
  }
}

function fileTypesOf(types: NonNullable<SearchFilters["fileTypes"]>): Uint8Array {
  const wanted = new Uint8Array(256);
  for (const type of types) wanted[numberOfFileType(type)] = 1;
  return wanted;
}
