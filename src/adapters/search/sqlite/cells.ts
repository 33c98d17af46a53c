/** How much a person sees, for the weights of words. */
export interface Visible {
  readonly documents: number;
  /** How many terms a document has on average. */
  readonly averageLength: number;
}

interface Columns {
  readonly accessClasses: Int32Array;
  readonly datasources: Int32Array;
  readonly documents: Int32Array;
  /** How many terms these documents count as: `countedLength`. */
  readonly terms: Float64Array;
}

const datasourcesAtMost = 2 ** 21;
/** So many of the newest changes are kept, for counts to go on from: those of some commits. */
const keptChanges = 65_536;

/** What was counted in cells, and after which of their changes. */
export interface Count {
  readonly documents: number;
  readonly terms: number;
  readonly version: number;
}

const columnsFor = (capacity: number): Columns => ({
  accessClasses: new Int32Array(capacity),
  datasources: new Int32Array(capacity),
  documents: new Int32Array(capacity),
  terms: new Float64Array(capacity),
});

/**
 * Counts documents and their terms by access class and datasource. A person who sees one document of such a cell sees
 * all of them. So what a person sees is a sum over cells, and nobody's weights rest on other documents.
 */
export class Cells {
  /** Grows by one with every change. */
  private version = 0;
  /** Changes after this one are kept, as far as there is room. */
  private keptAfter = 0;
  private columns = columnsFor(256);
  private readonly changes = {
    cells: new Int32Array(keptChanges),
    documents: new Int8Array(keptChanges),
    terms: new Float64Array(keptChanges),
  };
  private size = 0;
  /** By access class: one more than the first of its cells; 0: it has none. */
  private firstOf = new Int32Array(256);
  /** The other cells of classes that documents of several datasources have. */
  private readonly others = new Map<number, number>();

  add(accessClass: number, datasource: number, terms: number): void {
    this.change(this.cellOf(accessClass, datasource), 1, terms);
  }

  remove(accessClass: number, datasource: number, terms: number): void {
    this.change(this.cellOf(accessClass, datasource), -1, -terms);
  }

  clear(): void {
    this.version += 1;
    this.keptAfter = this.version;
    this.size = 0;
    this.firstOf.fill(0);
    this.others.clear();
    this.columns = columnsFor(256);
  }

  /**
   * What there is in the cells of open classes and served datasources.
   *
   * @param open 1 at the number of every class that is open.
   * @param served above 0 at the number of every datasource that is served.
   * @param before what was counted earlier for the same classes and datasources: only changes are looked at since.
   */
  count(open: Uint8Array, served: Uint8Array, before: Count | null): Count {
    const { accessClasses, datasources, documents, terms } = this.columns;
    const goesOn = before !== null && this.areChangesKept(before.version);
    let [documentsSeen, termsSeen] = goesOn ? [before.documents, before.terms] : [0, 0];
    const take = (cell: number, moreDocuments: number, moreTerms: number): void => {
      if (open[accessClasses[cell] as number] !== 1) return;
      if (!((served[datasources[cell] as number] ?? 0) > 0)) return;
      documentsSeen += moreDocuments;
      termsSeen += moreTerms;
    };
    if (goesOn) this.forEachChange(before.version, take);
    else for (let cell = 0; cell < this.size; cell++) take(cell, documents[cell] as number, terms[cell] as number);
    return { documents: documentsSeen, terms: termsSeen, version: this.version };
  }

  private areChangesKept(after: number): boolean {
    return after >= Math.max(this.keptAfter, this.version - keptChanges);
  }

  private forEachChange(after: number, visit: (cell: number, documents: number, terms: number) => void): void {
    const { cells, documents, terms } = this.changes;
    for (let change = after + 1; change <= this.version; change++) {
      const at = change % keptChanges;
      visit(cells[at] as number, documents[at] as number, terms[at] as number);
    }
  }

  private change(cell: number, documents: 1 | -1, terms: number): void {
    const { columns, changes } = this;
    columns.documents[cell] = (columns.documents[cell] as number) + documents;
    columns.terms[cell] = (columns.terms[cell] as number) + terms;
    this.version += 1;
    const at = this.version % keptChanges;
    changes.cells[at] = cell;
    changes.documents[at] = documents;
    changes.terms[at] = terms;
  }

  private cellOf(accessClass: number, datasource: number): number {
    if (accessClass >= this.firstOf.length) this.makeRoomFor(accessClass);
    const first = (this.firstOf[accessClass] as number) - 1;
    if (first >= 0 && this.columns.datasources[first] === datasource) return first;
    const key = accessClass * datasourcesAtMost + datasource;
    const known = first < 0 ? undefined : this.others.get(key);
    if (known !== undefined) return known;
    if (first < 0) this.firstOf[accessClass] = this.size + 1;
    else this.others.set(key, this.size);
    return this.newCell(accessClass, datasource);
  }

  private newCell(accessClass: number, datasource: number): number {
    if (this.size === this.columns.terms.length) this.grow();
    this.columns.accessClasses[this.size] = accessClass;
    this.columns.datasources[this.size] = datasource;
    return this.size++;
  }

  private makeRoomFor(accessClass: number): void {
    const larger = new Int32Array(Math.ceil((accessClass + 1) * 1.5));
    larger.set(this.firstOf);
    this.firstOf = larger;
  }

  private grow(): void {
    const larger = columnsFor(this.columns.terms.length * 2);
    for (const name of Object.keys(larger) as (keyof Columns)[]) larger[name].set(this.columns[name]);
    this.columns = larger;
  }
}

/** @param terms of all these documents together. */
export const visibleOf = (documents: number, terms: number): Visible => ({
  documents,
  averageLength: Math.max(1, terms / Math.max(1, documents)),
});
