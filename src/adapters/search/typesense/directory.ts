import type { DocumentDetails, HitSummary } from "../../../readModels/search.js";
import type { PrincipalToken } from "../../../shared/ids.js";
import type { TypesenseConnection } from "./connection.js";
import { classNumber, numbered } from "./accessNumbers.js";
import { datasourceKey } from "./encoding.js";
import type { BoundSub, DatasourceState, StateRow, StoredHitSummary } from "./schema.js";
import {
  checkpointSearch,
  readCheckpoint,
  readDatasources,
  toNumberedRow,
  type NumberedRow,
} from "./stateCollection.js";

/** An access class as the reader holds it. */
export interface AccessClass {
  readonly number: string;
  /** The datasource's key. */
  readonly ds: string;
  readonly tokens: readonly PrincipalToken[];
}

/** A principal that some document names. */
export interface NamedPrincipal {
  /** What documents carry: one number, or more where two writers have given one each. */
  readonly numbers: number[];
  readonly ds: string;
  readonly classes: AccessClass[];
}

type VersionedRow = NumberedRow & { readonly v: number };

/**
 * What a reader knows of datasources and access classes. Every search asks for the stamp in the same request. If it
 * differs from the one under which this was read, this is read again and the search repeated. So nothing that was
 * acknowledged before a search began is missing from it.
 */
export class Directory {
  /** Keyed by their number. */
  readonly classes = new Map<string, AccessClass>();
  readonly principals = new Map<PrincipalToken, NamedPrincipal>();
  /** Keyed by the datasource's key. */
  datasources: ReadonlyMap<string, DatasourceState> = new Map();
  /** Grows with every look at the engine that found something new. */
  epoch = 0;
  /** The numbers of the rows that were read. */
  private readonly known = new Set<number>();
  private newest = 0;
  /** The stamp under which it was read; null before the first reading. */
  stamp: string | null = null;
  private refreshing: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** The class with this number; null where it is not known, or not yet. */
  classOf(number: string | undefined): AccessClass | null {
    return this.classes.get(number ?? "") ?? null;
  }

  /** Whether these numbers are of these principals, each of which has one of them, and of no others. */
  areNumbersOf(numbers: readonly number[], tokens: readonly PrincipalToken[]): boolean {
    const ofTokens = tokens.map((token) => this.principals.get(token)?.numbers ?? []);
    const [carried, known] = [new Set(numbers), new Set(ofTokens.flat())];
    return ofTokens.every((own) => own.some((number) => carried.has(number))) && numbers.every((one) => known.has(one));
  }

  /** The incarnation that is served under this name. */
  served(name: string): DatasourceState | null {
    for (const state of this.datasources.values()) if (state.name === name && state.status === "served") return state;
    return null;
  }

  /**
   * Reads what has changed. Concurrent calls share the work; what each of them gets is at least as new as its
   * beginning.
   */
  refresh(): Promise<void> {
    const turn = this.refreshing.then(() => this.read());
    this.refreshing = turn.catch(() => undefined);
    return turn;
  }

  /** Reads everything first and takes it over at once, so that no search sees half of it. */
  private async read(): Promise<void> {
    const [answer] = await this.connection.search([checkpointSearch(this.collection)]);
    const state = readCheckpoint(answer);
    if (this.stamp === state.stamp) return;
    const datasources = await readDatasources(this.connection, this.collection);
    const newer = await this.rows(`${numbered} && v:>=${this.newest}`);
    const unknown = newer.filter(({ number }) => !this.known.has(number));
    const [count] = await this.connection.search([
      { collection: this.collection, q: "*", filter_by: numbered, per_page: 0 },
    ]);
    if (count?.found === this.known.size + unknown.length) {
      for (const row of unknown) this.add(row);
    } else {
      const all = await this.rows(numbered);
      this.known.clear();
      this.classes.clear();
      this.principals.clear();
      for (const row of all) this.add(row);
    }
    this.datasources = new Map(datasources.map((datasource) => [datasourceKey(datasource.datasourceId), datasource]));
    this.stamp = state.stamp;
    this.epoch += 1;
  }

  private async rows(filter: string): Promise<readonly VersionedRow[]> {
    const rows = await this.connection.export<StateRow>(this.collection, filter);
    return rows.map((row) => ({ ...toNumberedRow(row), v: row.v }));
  }

  private add({ number, isPrincipal, ds, tokens, v }: VersionedRow): void {
    const distinct = tokens === "" ? [] : (tokens.split(" ") as PrincipalToken[]);
    const added: AccessClass = { number: classNumber(number), ds, tokens: distinct };
    this.newest = Math.max(this.newest, v);
    this.known.add(number);
    if (!isPrincipal) this.classes.set(added.number, added);
    for (const token of distinct) {
      const principal = this.principals.get(token) ?? { numbers: [], ds, classes: [] };
      this.principals.set(token, principal);
      if (isPrincipal) principal.numbers.push(number);
      else principal.classes.push(added);
    }
  }
}

/** A document's hit summary. A sub that was deleted is not named. */
export function toHitSummary(
  { sub, childSub, ...card }: StoredHitSummary,
  directory: Directory,
  ds: string,
): HitSummary {
  const { id, title, datasource, fileType, path, pathPreview, author, lastModified } = card;
  const subs = subsNow({ sub, childSub }, directory, ds);
  return { id, title, datasource, ...subs, fileType, path, pathPreview, author, lastModified };
}

/** A hit summary with everything else that is known of the document. */
export function toDetails(
  { sub, childSub, ...card }: StoredHitSummary,
  directory: Directory,
  ds: string,
): DocumentDetails {
  return { ...card, ...subsNow({ sub, childSub }, directory, ds) };
}

function subsNow(
  bound: { readonly sub: BoundSub | null; readonly childSub: BoundSub | null },
  directory: Directory,
  ds: string,
): Pick<HitSummary, "sub" | "childSub"> {
  const declared = new Set(directory.datasources.get(ds)?.subs.map(({ id }) => id));
  const now = (one: BoundSub | null): string | null => (one !== null && declared.has(one.id) ? one.key : null);
  return { sub: now(bound.sub), childSub: now(bound.childSub) };
}
