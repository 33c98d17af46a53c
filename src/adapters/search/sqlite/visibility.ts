import type { SearchFilters } from "../../../readModels/search.js";
import { countedLength } from "../../../analysis/rankingRules.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { LRUCache } from "lru-cache";
import { visibleOf, type Count, type Visible } from "./cells.js";
import type { Collection } from "./collection.js";
import type { Postings } from "./growingPostings.js";
import { OpenSlots, type OpenDocuments, type Opening } from "./openSlots.js";
import { numberOfFileType } from "./columnNumbers.js";
import { slotsThat } from "./slotSet.js";

/** For how many people it is remembered how much they see. */
const rememberedPeople = 1_000;

/** What keeps a document that is open to the person from being shown: a sum of these. */
export const outside = { nothing: 0, datasources: 1, fileTypes: 2, window: 4 } as const;

interface OpenedClasses {
  readonly by: "class";
  /** Stands for the person's tokens. */
  readonly key: string;
  /** 1 at the number of every access class that the person may see. */
  readonly open: Uint8Array;
}

/** What a question may find: documents of these access classes, or these documents. */
export type Opened =
  | OpenedClasses
  /** 1 at the slot of every document that was named. */
  | { readonly by: "document"; readonly open: Uint8Array };

interface Limits {
  readonly opened: Opened;
  readonly datasources: ServedDatasources;
  /** 1 at the number of every file type that is asked for; null for all. */
  readonly fileTypes: Uint8Array | null;
  readonly modifiedFrom: number | null;
  readonly modifiedTo: number | null;
  readonly remembered: RememberedPeople;
}

/** What is remembered of people who searched lately. */
interface RememberedPeople {
  /** How much they saw. */
  readonly counts: LRUCache<string, Count & { readonly definitions: number }>;
  readonly openSlots: OpenSlots;
}

/**
 * Which documents one search may show. What is open to the person, of datasources that are served, decides how much
 * words weigh; of that it shows what is within the filters.
 */
export class Visibility {
  /** All that is open to the person, filtered or not. */
  readonly all: Visible;
  /** Whether a filter may keep back what is open to the person. */
  readonly isNarrowed: boolean;
  /** null where it is not remembered, and so few are counted that it is not worth it. */
  private openDocuments: OpenDocuments | null;
  private readonly columns;
  private readonly opening: Opening;
  private readonly remembered;
  private readonly opened: Opened;
  private readonly open;
  private readonly isByClass;
  private readonly datasources;
  private readonly fileTypes;
  private readonly isModifiedFiltered: boolean;
  private readonly modifiedFrom: number;
  private readonly modifiedTo: number;
  /** How many places were counted for this search. */
  private counted = 0;

  constructor(
    private readonly collection: Collection,
    { opened, datasources, fileTypes, modifiedFrom, modifiedTo, remembered }: Limits,
  ) {
    this.columns = collection.columns;
    this.remembered = remembered;
    this.opened = opened;
    this.open = opened.open;
    this.isByClass = opened.by === "class";
    this.datasources = datasources;
    this.fileTypes = fileTypes;
    this.isModifiedFiltered = modifiedFrom !== null || modifiedTo !== null;
    this.isNarrowed = datasources.isNarrowed || fileTypes !== null || this.isModifiedFiltered;
    this.modifiedFrom = modifiedFrom ?? Number.NEGATIVE_INFINITY;
    this.modifiedTo = modifiedTo ?? Number.POSITIVE_INFINITY;
    this.opening = { collection, opens: (slot) => this.isOfOpenClass(slot) };
    this.openDocuments = opened.by === "class" ? remembered.openSlots.remembered(opened.key, this.opening) : null;
    this.all = opened.by === "class" ? this.seenBy(opened) : this.namedOf(collection.size);
  }

  /** 1 at the slot of every document that is open to the person; null where it is not known, and few were counted. */
  get openSlots(): Uint8Array | null {
    return this.openDocuments?.isOpen ?? null;
  }

  /** Which documents are open to the person, where they are so many at most; null: they are more, or were named. */
  openToFew(most: number): OpenDocuments | null {
    if (this.all.documents > most) return null;
    return (this.openDocuments ??= this.allOpen());
  }

  /** Whether the person may see the document at all. */
  opens(slot: number): boolean {
    if (this.openDocuments !== null) return this.openDocuments.isOpen[slot] === 1;
    return this.columns.alive[slot] === 1 && this.isOfOpenClass(slot);
  }

  shows(slot: number): boolean {
    return this.opens(slot) && this.isOfDatasources(slot) && this.isOfFileTypes(slot) && this.isInWindow(slot);
  }

  /** Which filters an open document is outside of: a sum of the numbers in {@link outside}. */
  outsideOf(slot: number): number {
    return (
      (this.isOfDatasources(slot) ? 0 : outside.datasources) +
      (this.isOfFileTypes(slot) ? 0 : outside.fileTypes) +
      (this.isInWindow(slot) ? 0 : outside.window)
    );
  }

  /** The slots that may be shown. */
  shown(slots: Int32Array): Int32Array {
    const open = this.openSlots;
    if (open !== null && !this.isNarrowed) return slotsThat((slot) => open[slot] === 1, slots);
    return slotsThat((slot) => this.shows(slot), slots);
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

  /** How many of the documents in these postings are open to the person, filtered or not. */
  countOpen(postings: Postings): number {
    this.expect(postings.size);
    if (this.openDocuments !== null) return this.openDocuments.count(postings);
    let open = 0;
    for (let index = 0; index < postings.size; index++) open += this.opens(postings.slots[index] as number) ? 1 : 0;
    return open;
  }

  /** The slot of the last of the newest `most` documents in these postings that are open to the person. */
  newestOpen({ slots, size }: Postings, most: number): number {
    let left = most;
    for (let index = size - 1; index >= 0; index--) {
      const slot = slots[index] as number;
      if (this.opens(slot) && --left === 0) return slot;
    }
    return 0;
  }

  /**
   * Before many places are looked at, all documents are asked about once, which spares a look at each place's class and
   * datasource.
   */
  private expect(places: number): void {
    this.counted += places;
    if (this.openDocuments !== null || this.counted * 2 < this.collection.size) return;
    this.openDocuments = this.allOpen();
  }

  /** null where documents were named. */
  private allOpen(): OpenDocuments | null {
    const { remembered, opened, opening } = this;
    return opened.by === "class" ? remembered.openSlots.of(opened.key, opening) : null;
  }

  private isOfOpenClass(slot: number): boolean {
    const { columns } = this;
    return (
      this.open[this.isByClass ? (columns.classes[slot] as number) : slot] === 1 &&
      this.isServed(columns.datasources[slot] as number)
    );
  }

  /** Remembered, because a person types on, and may hold a great many classes. */
  private seenBy({ key, open }: OpenedClasses): Visible {
    const { modes, definitions } = this.datasources;
    const known = this.remembered.counts.get(key);
    const count = this.collection.cells.count(open, modes, known?.definitions === definitions ? known : null);
    this.remembered.counts.set(key, { ...count, definitions });
    return visibleOf(count.documents, count.terms);
  }

  private isServed(datasource: number): boolean {
    return (this.datasources.modes[datasource] ?? passing.notServed) !== passing.notServed;
  }

  private namedOf(slots: number): Visible {
    let documents = 0;
    let terms = 0;
    for (let slot = 0; slot < slots; slot++) {
      if (!this.opens(slot)) continue;
      documents += 1;
      terms += countedLength(this.columns.lengths[slot] as number);
    }
    return visibleOf(documents, terms);
  }

  private isOfDatasources(slot: number): boolean {
    const mode = this.datasources.modes[this.columns.datasources[slot] as number];
    return mode === passing.whole || (mode === passing.bySub && this.isInSub(slot));
  }

  private isOfFileTypes(slot: number): boolean {
    return this.fileTypes === null || this.fileTypes[this.columns.fileTypes[slot] as number] === 1;
  }

  private isInWindow(slot: number): boolean {
    if (!this.isModifiedFiltered) return true;
    const modified = this.columns.modified[slot] as number;
    return modified >= this.modifiedFrom && modified <= this.modifiedTo;
  }

  private isInSub(slot: number): boolean {
    const { subs, childSubs } = this.columns;
    return this.datasources.subs.has(subs[slot] as number) || this.datasources.subs.has(childSubs[slot] as number);
  }
}

/** Makes the visibility of a search from its filters and from the datasources that are served now. */
export class VisibilityRules {
  private readonly served;
  private readonly remembered: RememberedPeople = {
    counts: new LRUCache({ max: rememberedPeople }),
    openSlots: new OpenSlots(),
  };

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    this.served = new ServedDatasourceRows(database, collection);
  }

  of(opened: Opened, filters: SearchFilters): Visibility {
    return new Visibility(this.collection, {
      opened,
      datasources: this.served.within(filters.datasources),
      fileTypes: filters.fileTypes === null ? null : fileTypesOf(filters.fileTypes),
      modifiedFrom: filters.modifiedFrom,
      modifiedTo: filters.modifiedTo,
      remembered: this.remembered,
    });
  }
}

function fileTypesOf(types: NonNullable<SearchFilters["fileTypes"]>): Uint8Array {
  const wanted = new Uint8Array(256);
  for (const type of types) wanted[numberOfFileType(type)] = 1;
  return wanted;
}

/** A datasource is not served, or it is: then its documents pass the filter not at all, all, or those of some subs. */
const passing = { notServed: 0, none: 1, whole: 2, bySub: 3 } as const;

/** How far the datasources' documents pass a filter. */
interface ServedDatasources {
  readonly isNarrowed: boolean;
  /** One of {@link passing} by the datasource's number. */
  readonly modes: Uint8Array;
  /** A number that changes whenever datasources do. */
  readonly definitions: number;
  /** Numbers of subs and of child subs alike: they share one sequence. */
  readonly subs: ReadonlySet<number>;
}

/** Tells which datasources are served now, and how a filter narrows them. */
class ServedDatasourceRows {
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
