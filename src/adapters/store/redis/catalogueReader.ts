import type { CatalogueReader, Checkpointed } from "../../../../queries/ports.js";
import type { Datasource } from "../../../events/datasource.js";
import { readStoredDatasource } from "../../../readModels/storedDatasource.js";
import type { DatasourceName } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { ReadSession } from "./readSession.js";
import type { State } from "./servedState.js";

interface KnownCatalogue {
  readonly cacheEpoch: number;
  readonly version: string;
  readonly byName: ReadonlyMap<DatasourceName, Datasource>;
}

/** Holds the whole catalogue (tens of datasources), and reads it again when its version has changed. */
export class RedisCatalogueReader implements CatalogueReader {
  private readonly progress: Checkpointed;
  private known: KnownCatalogue | null = null;

  constructor(private readonly session: ReadSession) {
    this.progress = session.progressOf("catalogue");
  }

  position(): Promise<Position> {
    return this.progress.position();
  }

  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.reached(position, timeoutMs);
  }

  async find(name: DatasourceName): Promise<Datasource | null> {
    return (await this.current()).get(name) ?? null;
  }

  async list(): Promise<readonly Datasource[]> {
    return [...(await this.current()).values()];
  }

  private async current(): Promise<ReadonlyMap<DatasourceName, Datasource>> {
    const state = await this.session.state("catalogue");
    if (this.known !== null && this.isOf(this.known, state)) return this.known.byName;
    return this.readAll(state);
  }

  /** Reads as of a moment of its own, which is not before the state's. */
  private async readAll({ store }: State): Promise<ReadonlyMap<DatasourceName, Datasource>> {
    const { state, replies } = await this.session.snapshot(store, ({ catalogue }) => [["HVALS", catalogue]]);
    if (state.store !== store) return this.current();
    await this.session.served.assertServable(state, "catalogue");
    const datasources = (replies[0] as readonly Buffer[]).map((json) => readStoredDatasource(String(json)));
    const byName = new Map(datasources.sort(inOrderOfNames).map((datasource) => [datasource.name, datasource]));
    this.known = { cacheEpoch: state.cacheEpoch, version: state.catalogue.version, byName };
    return byName;
  }

  private isOf(known: KnownCatalogue, state: State): boolean {
    return known.version === state.catalogue.version && known.cacheEpoch === state.cacheEpoch;
  }
}

/** Compares by code units: the same on every machine, whatever its locale. */
const inOrderOfNames = (a: Datasource, b: Datasource): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
