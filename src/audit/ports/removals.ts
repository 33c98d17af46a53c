/** An event by which documents or grants went, one by one: not the end of a whole datasource. */
export interface Removal {
  readonly position: number;
  /** Epoch milliseconds at which it was decided. */
  readonly at: number;
  readonly by: string;
  /** Number of the datasource's incarnation. */
  readonly incarnation: number;
  /** 0 or 1. */
  readonly documents: number;
  /** Entries of access lists. */
  readonly grants: number;
}

/** What an incarnation of a datasource held. */
export interface Holdings {
  readonly datasource: string;
  readonly documents: number;
  readonly grants: number;
}

/** What was removed when, from the permission history. Methods answer at once and take a few milliseconds. */
export interface Removals {
  /** The removals among the next events after a position, and how far those reach; `isEnd`: there are no more. */
  after(position: number): {
    readonly removals: readonly Removal[];
    readonly position: number;
    readonly isEnd: boolean;
  };
  /** The position from which on events were decided at this time (epoch milliseconds) or later. */
  positionAt(time: number): number;
  /** What there was right before a position. Takes longer: it counts. */
  before(incarnation: number, position: number): Holdings;
}
