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
  /** As how many terms these documents count: `countedLength`. */
  readonly terms: Float64Array;
}

const datasourcesAtMost = 2 ** 21;

const columnsFor = (capacity: number): Columns => ({
  accessClasses: new Int32Array(capacity),
  datasources: new Int32Array(capacity),
  documents: new Int32Array(capacity),
  terms: new Float64Array(capacity),
});

/**
 * Counts documents and their terms by access class and datasource. Whoever sees one document of such a cell sees all of
 * them, so what a person sees is a sum over cells, and nobody's weights rest on other documents.
 */
export class Cells {
  /** Grows with every change. */
  version = 0;
  private columns = columnsFor(256);
  private readonly byKey = new Map<number, number>();

  add(accessClass: number, datasource: number, terms: number): void {
    const cell = this.cellOf(accessClass, datasource);
    this.change(cell, 1, terms);
  }

  remove(accessClass: number, datasource: number, terms: number): void {
    this.change(this.cellOf(accessClass, datasource), -1, -terms);
  }

  clear(): void {
    this.version += 1;
    this.byKey.clear();
    this.columns = columnsFor(256);
  }

  /**
   * What there is in the cells of open classes and served datasources.
   *
   * @param open 1 at the number of every class that is open.
   * @param served above 0 at the number of every datasource that is served.
   */
  visible(open: Uint8Array, served: Uint8Array): Visible {
    const { accessClasses, datasources, documents, terms } = this.columns;
    let documentsSeen = 0;
    let termsSeen = 0;
    for (let cell = 0; cell < this.byKey.size; cell++) {
      if (open[accessClasses[cell] as number] !== 1 || !((served[datasources[cell] as number] ?? 0) > 0)) continue;
      documentsSeen += documents[cell] as number;
      termsSeen += terms[cell] as number;
    }
    return visibleOf(documentsSeen, termsSeen);
  }

  private change(cell: number, documents: number, terms: number): void {
    const { columns } = this;
    columns.documents[cell] = (columns.documents[cell] as number) + documents;
    columns.terms[cell] = (columns.terms[cell] as number) + terms;
    this.version += 1;
  }

  private cellOf(accessClass: number, datasource: number): number {
    const key = accessClass * datasourcesAtMost + datasource;
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    const cell = this.byKey.size;
    if (cell === this.columns.terms.length) this.grow();
    this.columns.accessClasses[cell] = accessClass;
    this.columns.datasources[cell] = datasource;
    this.byKey.set(key, cell);
    return cell;
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
