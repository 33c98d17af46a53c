import { match } from "ts-pattern";
import type { DatasourceChange } from "../../../../projections/search/ports.js";
import type { DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { shortHash } from "./encoding.js";
import type { BoundSub, DatasourceState, SubState } from "./schema.js";

type Registered = Extract<DatasourceChange, { kind: "datasourceRegistered" }>;

/**
 * What is known of datasources: incarnations, subs, searched properties. A change is known here first; the caller of
 * {@link takeChanged} writes it.
 */
export class DatasourceTable {
  private readonly states = new Map<DatasourceId, DatasourceState>();
  private readonly changed = new Set<DatasourceId>();

  constructor(states: readonly DatasourceState[]) {
    for (const state of states) this.states.set(state.datasourceId, state);
  }

  /** An incarnation that may hold documents; null where it is unknown or gone. */
  find(datasourceId: DatasourceId): DatasourceState | null {
    const state = this.states.get(datasourceId);
    return state === undefined || state.status === "deleted" ? null : state;
  }

  /** The subs to which a document's event binds it: those that existed before the event. */
  bind(
    datasourceId: DatasourceId,
    sub: string | null,
    childSub: string | null,
    position: Position,
  ): { readonly sub: BoundSub | null; readonly childSub: BoundSub | null } {
    const subs = this.find(datasourceId)?.subs ?? [];
    const declared = (parentKey: string | null, key: string | null): BoundSub | null => {
      const found = subs.find((one) => one.parentKey === parentKey && one.key === key && BigInt(one.since) <= position);
      return found === undefined ? null : { key: found.key, id: found.id };
    };
    const parent = declared(null, sub);
    return { sub: parent, childSub: parent === null ? null : declared(parent.key, childSub) };
  }

  apply(change: DatasourceChange): void {
    match(change)
      .with({ kind: "datasourceRegistered" }, (registered) => this.register(registered))
      .with({ kind: "propertiesDefined" }, ({ datasourceId, searchable, position }) =>
        this.define(datasourceId, searchable, position),
      )
      .with({ kind: "subAdded" }, ({ datasourceId, key, parentKey, children, position }) =>
        this.addSubs(
          datasourceId,
          [{ parentKey, key }, ...children.map((child) => ({ parentKey: key, key: child }))],
          position,
        ),
      )
      .with({ kind: "subRemoved" }, ({ datasourceId, key, parentKey }) => this.removeSub(datasourceId, parentKey, key))
      .with({ kind: "datasourceDeleted" }, ({ datasourceId }) =>
        this.amend(datasourceId, { status: "deleted", subs: [], toAnalyse: null }),
      )
      .with({ kind: "datasourceSuspended" }, ({ datasourceId }) => this.amend(datasourceId, { status: "suspended" }))
      .with({ kind: "datasourceRestored" }, ({ datasourceId }) => this.amend(datasourceId, { status: "served" }))
      .exhaustive();
  }

  /** A datasource with work left behind for all of its documents; deletions first. */
  withWorkLeft(): DatasourceState | null {
    const states = [...this.states.values()];
    return (
      states.find(({ status }) => status === "deleted") ?? states.find(({ toAnalyse }) => toAnalyse !== null) ?? null
    );
  }

  analysedUpTo(datasourceId: DatasourceId, position: number): void {
    const toAnalyse = this.find(datasourceId)?.toAnalyse;
    if (toAnalyse)
      this.amend(datasourceId, { toAnalyse: position >= toAnalyse.upTo ? null : { ...toAnalyse, after: position } });
  }

  /** Nothing of it is left. */
  forget(datasourceId: DatasourceId): void {
    this.states.delete(datasourceId);
    this.changed.delete(datasourceId);
  }

  /** What has changed since the last call. */
  takeChanged(): readonly DatasourceState[] {
    const changed = [...this.changed].flatMap((id) => this.states.get(id) ?? []);
    this.changed.clear();
    return changed;
  }

  /** A name that is registered anew belongs to the new incarnation alone, whatever happened to the old one. */
  private register({ datasourceId, name, subs, searchable, position }: Registered): void {
    for (const other of this.states.values()) {
      if (other.name === name && other.status === "served" && other.datasourceId !== datasourceId)
        this.amend(other.datasourceId, { status: "suspended" });
    }
    if (this.states.has(datasourceId)) return;
    this.put({ datasourceId, name, status: "served", searchable, subs: [], toAnalyse: null });
    const places = subs.flatMap((sub) => [
      { parentKey: null, key: sub.key },
      ...sub.subs.map((child) => ({ parentKey: sub.key, key: child.key })),
    ]);
    this.addSubs(datasourceId, places, position);
  }

  private define(datasourceId: DatasourceId, searchable: readonly string[], position: Position): void {
    const state = this.find(datasourceId);
    if (state === null || JSON.stringify(state.searchable) === JSON.stringify(searchable)) return;
    this.amend(datasourceId, { searchable, toAnalyse: { after: 0, upTo: Number(position) } });
  }

  private addSubs(datasourceId: DatasourceId, subs: readonly SubPlace[], position: Position): void {
    const state = this.find(datasourceId);
    if (state === null) return;
    const since = position.toString();
    const present = new Set(state.subs.map(pathOf));
    const added = subs
      .filter((sub) => !present.has(pathOf(sub)))
      .map((sub) => ({ ...sub, id: shortHash(JSON.stringify([datasourceId, sub.parentKey, sub.key, since])), since }));
    if (added.length > 0) this.amend(datasourceId, { subs: [...state.subs, ...added] });
  }

  private removeSub(datasourceId: DatasourceId, parentKey: string | null, key: string): void {
    const isRemoved = (sub: SubState): boolean =>
      (sub.parentKey === parentKey && sub.key === key) || (parentKey === null && sub.parentKey === key);
    this.amend(datasourceId, { subs: this.find(datasourceId)?.subs.filter((sub) => !isRemoved(sub)) ?? [] });
  }

  private amend(datasourceId: DatasourceId, change: Partial<DatasourceState>): void {
    const state = this.find(datasourceId);
    if (state !== null) this.put({ ...state, ...change });
  }

  private put(state: DatasourceState): void {
    this.states.set(state.datasourceId, state);
    this.changed.add(state.datasourceId);
  }
}

type SubPlace = Pick<SubState, "key" | "parentKey">;

/** No key holds a slash. */
const pathOf = ({ key, parentKey }: SubPlace): string => `${parentKey ?? ""}/${key}`;
