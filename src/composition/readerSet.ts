import type {
  AccessReader,
  CatalogueReader,
  Counted,
  CredentialReader,
  Checkpointed,
  SearchReader,
} from "../../queries/ports.js";
import type { ParkedEvents } from "../../projections/ports.js";
import type { Position } from "../shared/position.js";

/** The readers that questions are answered from, by the read model's name. */
export interface ReaderByName {
  readonly search: SearchReader;
  readonly groupClosure: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
}

/** Of the read models that every request is answered from; auditors ask the permission history besides. */
export type ServedReadModelName = keyof ReaderByName;

export const servedReadModelNames = [
  "search",
  "groupClosure",
  "catalogue",
  "credentials",
] as const satisfies readonly ServedReadModelName[];

/** The reader of one version, and how to end it. */
export interface OpenedReader<Reader> {
  readonly version: number;
  readonly reader: Reader;
  /** What its projection could not apply. */
  readonly parked: ParkedEvents;
  /** What the engine holds of it. */
  readonly counted: Counted;
  close(): Promise<void> | void;
}

export type OpenedReaders = { readonly [Name in keyof ReaderByName]: OpenedReader<ReaderByName[Name]> };

/**
 * One version of each read model, from the first question that is answered from them to the last: a question uses one
 * readerSet from beginning to end. What waits in a readerSet that another has taken the place of waits no longer.
 */
export class ReaderSet {
  private inUse = 0;
  private isSuperseded = false;
  private readonly waits = new Set<() => void>();
  private whenIdle: (() => void) | null = null;

  constructor(readonly opened: OpenedReaders) {}

  /**
   * The readers, whose waits end early (as those that were not long enough do) once another readerSet has taken over.
   */
  readers(): ReaderByName {
    const { search, groupClosure, catalogue, credentials } = this.opened;
    return {
      search: {
        ...this.projected(search.reader),
        search: (request) => search.reader.search(request),
        find: (name, id) => search.reader.find(name, id),
        text: (name, id) => search.reader.text(name, id),
        ...searchedBy(search.reader),
      },
      groupClosure: {
        ...this.projected(groupClosure.reader),
        heldTokens: (email) => groupClosure.reader.heldTokens(email),
        holdsAny: (datasource, email, tokens) => groupClosure.reader.holdsAny(datasource, email, tokens),
        isParked: (datasource) => groupClosure.reader.isParked(datasource),
      },
      catalogue: {
        ...this.projected(catalogue.reader),
        find: (name) => catalogue.reader.find(name),
        list: () => catalogue.reader.list(),
      },
      credentials: {
        ...this.projected(credentials.reader),
        find: (id) => credentials.reader.find(id),
        list: () => credentials.reader.list(),
      },
    };
  }

  enter(): void {
    this.inUse++;
  }

  leave(): void {
    if (--this.inUse === 0 && this.isSuperseded) this.whenIdle?.();
  }

  get superseded(): boolean {
    return this.isSuperseded;
  }

  /** Resolves once nobody uses it any more. */
  supersede(): Promise<void> {
    this.isSuperseded = true;
    for (const giveUp of this.waits) giveUp();
    return this.inUse === 0 ? Promise.resolve() : new Promise((resolve) => (this.whenIdle = resolve));
  }

  private projected(reader: Checkpointed): Checkpointed {
    return {
      position: () => reader.position(),
      reached: (position, timeoutMs) => this.reached(reader, position, timeoutMs),
    };
  }

  private reached(reader: Checkpointed, position: Position, timeoutMs: number): Promise<boolean> {
    if (this.isSuperseded) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve(false);
      this.waits.add(giveUp);
      reader
        .reached(position, timeoutMs)
        .then(resolve, reject)
        .finally(() => this.waits.delete(giveUp));
    });
  }
}

/** Of engines that have it. */
export const searchedBy = (reader: SearchReader): Pick<SearchReader, "searchedBy"> =>
  reader.searchedBy === undefined
    ? {}
    : { searchedBy: (name, id, tokens) => reader.searchedBy?.(name, id, tokens) ?? Promise.resolve("nothing") };

/** What tells that a reader answers, besides its position: one small question. */
export const probes: { readonly [Name in ServedReadModelName]: (reader: ReaderByName[Name]) => Promise<unknown> } = {
  search: (reader) => reader.find("probe" as never, "probe" as never),
  groupClosure: (reader) => reader.isParked("probe" as never),
  catalogue: (reader) => reader.find("probe" as never),
  credentials: (reader) => reader.find("probe" as never),
};
