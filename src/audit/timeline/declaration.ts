import { match } from "ts-pattern";
import {
  addedSubs,
  type Datasource,
  type DatasourceEvent,
  type Sub,
  type SubAdded,
  type SubRemoved,
} from "../../events/datasource.js";
import type { Position } from "../../shared/position.js";

/** What an incarnation of a datasource declares, and since when each of its subs has been there without a break. */
export interface Declaration {
  readonly datasource: Datasource;
  /** Keyed by `{key}`, or `{key of the parent}/{key}`. */
  readonly subs: ReadonlyMap<string, Position>;
}

/** What is declared after an event of the incarnation; null where there is none any more. */
export function declarationAfter(
  event: DatasourceEvent,
  before: Declaration | null,
  position: Position,
): Declaration | null {
  return match(event)
    .returnType<Declaration | null>()
    .with({ type: "DatasourceRegistered" }, ({ data }) => ({
      datasource: data,
      subs: new Map(pathsOf(data.subs).map((path) => [path, position])),
    }))
    .with(
      { type: "DatasourceUpdated" },
      ({ data }) => before && { ...before, datasource: { ...before.datasource, ...data } },
    )
    .with({ type: "SubAdded" }, ({ data }) => before && withSub(before, data, position))
    .with({ type: "SubRemoved" }, ({ data }) => before && withoutSub(before, data))
    .with({ type: "DatasourceDeleted" }, () => null)
    .exhaustive();
}

const pathsOf = (subs: readonly Sub[]): readonly string[] =>
  subs.flatMap(({ key, subs: children }) => [key, ...children.map((child) => `${key}/${child.key}`)]);
const pathOf = ({ key, parentKey }: { readonly key: string; readonly parentKey: string | null }): string =>
  parentKey === null ? key : `${parentKey}/${key}`;

function withSub({ datasource, subs }: Declaration, added: SubAdded["data"], position: Position): Declaration {
  const { key, parentKey, name, subs: children } = added;
  const extended = <Entry extends { readonly key: string }>(
    entries: readonly Entry[],
    entry: Entry,
  ): readonly Entry[] => (entries.some((other) => other.key === key) ? entries : [...entries, entry]);
  const tree =
    parentKey === null
      ? extended(datasource.subs, { name, key, subs: children })
      : datasource.subs.map((sub) =>
          sub.key === parentKey ? { ...sub, subs: extended(sub.subs, { name, key }) } : sub,
        );
  const since = new Map(subs);
  for (const path of addedSubs(added).map(pathOf)) if (!since.has(path)) since.set(path, position);
  return { datasource: { ...datasource, subs: tree }, subs: since };
}

/** A top-level sub goes with its children. */
function withoutSub({ datasource, subs }: Declaration, removed: SubRemoved["data"]): Declaration {
  const { key, parentKey } = removed;
  const path = pathOf(removed);
  const tree =
    parentKey === null
      ? datasource.subs.filter((sub) => sub.key !== key)
      : datasource.subs.map((sub) =>
          sub.key === parentKey ? { ...sub, subs: sub.subs.filter((child) => child.key !== key) } : sub,
        );
  return {
    datasource: { ...datasource, subs: tree },
    subs: new Map([...subs].filter(([other]) => other !== path && !other.startsWith(`${path}/`))),
  };
}
