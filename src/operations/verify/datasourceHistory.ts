import type { Datasource, DatasourceEvent, Sub, SubAdded, SubRemoved } from "../../events/datasource.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { DatasourceId, DatasourceName } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import { readLog, type LogStretch } from "./readLog.js";

interface LiveDatasource {
  datasource: Datasource;
  /** Since when each sub has been there without a break: `key`, or `parent/key`. */
  readonly subs: Map<string, Position>;
}

/**
 * All datasources that ever were, as the log leaves them. Folded here on its own, so that it can prove the catalogue
 * wrong.
 */
export class DatasourceHistory {
  private readonly live = new Map<DatasourceName, LiveDatasource>();
  private readonly names = new Map<DatasourceName, Set<DatasourceId>>();
  private readonly nameOf = new Map<DatasourceId, DatasourceName>();

  static async read(stretch: Omit<LogStretch, "categories">): Promise<DatasourceHistory> {
    const history = new DatasourceHistory();
    for await (const events of readLog({ ...stretch, categories: ["datasource"] })) {
      for (const event of events) history.follow(event as RecordedEvent<DatasourceEvent>);
    }
    return history;
  }

  /** Every name, with all incarnations that have had it. */
  everNamed(): Iterable<[DatasourceName, ReadonlySet<DatasourceId>]> {
    return this.names;
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
    return name !== undefined && this.live.get(name)?.datasource.datasourceId === datasourceId;
  }

  /** The subs that a document of this event is bound to: those that have been there since before it. */
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
    if (event.type === "DatasourceRegistered") return this.register(event.data, position);
    const name = this.nameOf.get(event.data.datasourceId);
    const known = name === undefined ? undefined : this.live.get(name);
    if (name === undefined || known?.datasource.datasourceId !== event.data.datasourceId) return;
    if (event.type === "DatasourceDeleted") this.live.delete(name);
    else if (event.type === "DatasourceUpdated") known.datasource = { ...known.datasource, ...event.data };
    else if (event.type === "SubAdded") addSub(known, event.data, position);
    else removeSub(known, event.data);
  }

  private register(datasource: Datasource, position: Position): void {
    const { name, datasourceId } = datasource;
    const paths = datasource.subs.flatMap(({ key, subs }) => [key, ...subs.map((child) => `${key}/${child.key}`)]);
    this.live.set(name, { datasource, subs: new Map(paths.map((path) => [path, position])) });
    this.nameOf.set(datasourceId, name);
    this.names.set(name, (this.names.get(name) ?? new Set()).add(datasourceId));
  }
}

const pathOf = (key: string, parentKey: string | null): string => (parentKey === null ? key : `${parentKey}/${key}`);

function addSub(known: LiveDatasource, added: SubAdded["data"], position: Position): void {
  const path = pathOf(added.key, added.parentKey);
  if (!known.subs.has(path)) known.subs.set(path, position);
  known.datasource = { ...known.datasource, subs: withSub(known.datasource.subs, added) };
}

function removeSub(known: LiveDatasource, { key, parentKey }: SubRemoved["data"]): void {
  const removed = pathOf(key, parentKey);
  for (const path of known.subs.keys()) if (path === removed || path.startsWith(`${removed}/`)) known.subs.delete(path);
  known.datasource = { ...known.datasource, subs: withoutSub(known.datasource.subs, key, parentKey) };
}

function withSub(subs: readonly Sub[], { key, parentKey, name }: SubAdded["data"]): readonly Sub[] {
  const added = <Entry extends { readonly key: string }>(entries: readonly Entry[], entry: Entry): readonly Entry[] =>
    entries.some((other) => other.key === key) ? entries : [...entries, entry];
  if (parentKey === null) return added(subs, { name, key, subs: [] });
  return subs.map((sub) => (sub.key === parentKey ? { ...sub, subs: added(sub.subs, { name, key }) } : sub));
}

function withoutSub(subs: readonly Sub[], key: string, parentKey: string | null): readonly Sub[] {
  if (parentKey === null) return subs.filter((sub) => sub.key !== key);
  return subs.map((sub) =>
    sub.key === parentKey ? { ...sub, subs: sub.subs.filter((child) => child.key !== key) } : sub,
  );
}
