import { match } from "ts-pattern";
import type {
  ChildSub,
  Datasource,
  DatasourceUpdated,
  Sub,
  SubAdded,
  SubRemoved,
} from "../../src/events/datasource.js";

/** The datasource after this event. Applying the same event again changes nothing. */
export function amend(datasource: Datasource, amendment: DatasourceUpdated | SubAdded | SubRemoved): Datasource {
  return match(amendment)
    .returnType<Datasource>()
    .with({ type: "DatasourceUpdated" }, ({ data: { displayName, icon, objectDefinitions, defaultAccess } }) => ({
      ...datasource,
      displayName: displayName ?? datasource.displayName,
      icon: icon === undefined ? datasource.icon : icon,
      objectDefinitions: objectDefinitions ?? datasource.objectDefinitions,
      defaultAccess: defaultAccess ?? datasource.defaultAccess,
    }))
    .with({ type: "SubAdded" }, ({ data }) => ({ ...datasource, subs: withSub(datasource.subs, data) }))
    .with({ type: "SubRemoved" }, ({ data }) => ({ ...datasource, subs: withoutSub(datasource.subs, data) }))
    .exhaustive();
}

function withSub(subs: readonly Sub[], { name, key, parentKey, subs: children }: SubAdded["data"]): readonly Sub[] {
  if (parentKey !== null)
    return subs.map((sub) => (sub.key === parentKey ? { ...sub, subs: put(sub.subs, { name, key }) } : sub));
  return put(subs, { name, key, subs: withChildren(subs.find((sub) => sub.key === key)?.subs ?? [], children) });
}

function withChildren(present: readonly ChildSub[], added: readonly ChildSub[]): readonly ChildSub[] {
  return [...new Map([...present, ...added].map((child) => [child.key, child])).values()];
}

function withoutSub(subs: readonly Sub[], { key, parentKey }: SubRemoved["data"]): readonly Sub[] {
  if (parentKey === null) return subs.filter((sub) => sub.key !== key);
  return subs.map((sub) =>
    sub.key === parentKey ? { ...sub, subs: sub.subs.filter((child) => child.key !== key) } : sub,
  );
}

/** Replaces the entry with its key, or adds it at the end. */
function put<Entry extends { readonly key: string }>(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  return entries.some(({ key }) => key === entry.key)
    ? entries.map((other) => (other.key === entry.key ? entry : other))
    : [...entries, entry];
}
