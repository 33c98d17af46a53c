import { declarationAfter, type Declaration } from "../../audit/timeline/declaration.js";
import type { Datasource, DatasourceEvent } from "../../events/datasource.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { DatasourceId, DatasourceName } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import { readLog, type LogStretch } from "./readLog.js";

/** All datasources that ever were, as the log leaves them. */
export class FoldedDatasources {
  private readonly live = new Map<DatasourceName, Declaration>();
  private readonly names = new Map<DatasourceName, Set<DatasourceId>>();
  private readonly nameOf = new Map<DatasourceId, DatasourceName>();

  static async read(stretch: Omit<LogStretch, "categories">): Promise<FoldedDatasources> {
    const datasources = new FoldedDatasources();
    for await (const events of readLog({ ...stretch, categories: ["datasource"] })) {
      for (const event of events) datasources.follow(event as RecordedEvent<DatasourceEvent>);
    }
    return datasources;
  }

  everNamed(): Iterable<DatasourceName> {
    return this.names.keys();
  }

  /** What an incarnation is called; null where the log does not name it. */
  nameOfIncarnation(datasourceId: DatasourceId): DatasourceName | null {
    return this.nameOf.get(datasourceId) ?? null;
  }

  /** The live incarnation of this name; where there is none, all that it has had. */
  incarnationsOf(name: DatasourceName): readonly DatasourceId[] {
    const live = this.find(name);
    return live === null ? [...(this.names.get(name) ?? [])] : [live.datasourceId];
  }

  /** The incarnation that has this name now. */
  find(name: DatasourceName): Datasource | null {
    return this.live.get(name)?.datasource ?? null;
  }

  list(): readonly Datasource[] {
    return Array.from(this.live.values(), ({ datasource }) => datasource);
  }

  isLive(datasourceId: DatasourceId): boolean {
    const name = this.nameOf.get(datasourceId);
    return name !== undefined && this.find(name)?.datasourceId === datasourceId;
  }

  /** The subs that a document indexed at a position is bound to: those that have been there since before it. */
  boundSubs(
    name: DatasourceName,
    sub: string | null,
    childSub: string | null,
    position: Position,
  ): { readonly sub: string | null; readonly childSub: string | null } {
    const subs = this.live.get(name)?.subs;
    const isThere = (key: string): boolean => (subs?.get(key) ?? position + 1n) <= position;
    if (sub === null || !isThere(sub)) return { sub: null, childSub: null };
    return { sub, childSub: childSub !== null && isThere(`${sub}/${childSub}`) ? childSub : null };
  }

  private follow({ event, position }: RecordedEvent<DatasourceEvent>): void {
    const { datasourceId } = event.data;
    if (event.type === "DatasourceRegistered") this.note(event.data);
    else if (!this.isLive(datasourceId)) return;
    const name = this.nameOf.get(datasourceId) as DatasourceName;
    const declaration = declarationAfter(event, this.live.get(name) ?? null, position);
    if (declaration === null) this.live.delete(name);
    else this.live.set(name, declaration);
  }

  private note({ name, datasourceId }: Datasource): void {
    this.nameOf.set(datasourceId, name);
    this.names.set(name, (this.names.get(name) ?? new Set()).add(datasourceId));
  }
}
