import type { GroupClosureBatch } from "../../../../projections/groupClosure/ports.js";
import type { DatasourceId, Email } from "../../../shared/ids.js";

/** What one commit of the group closure changed, so that readers forget that and no more. */
export interface JournalEntry {
  /** Indexes of the groups of a datasource; null: any. */
  readonly groups: ReadonlyMap<DatasourceId, ReadonlySet<number> | null>;
  /** null: anybody. */
  readonly people: ReadonlySet<Email> | null;
}

interface StoredEntry {
  readonly groups: Readonly<Record<DatasourceId, readonly number[] | null>>;
  readonly people: readonly Email[] | null;
}

/** How many entries are kept. A reader that is further behind forgets all that it holds. */
export const keptEntries = 256;
/**
 * With more groups than this an entry says "any": naming all of them would cost more than reading again what is asked
 * for.
 */
const maxNamedGroups = 4_096;
const maxNamedPeople = 1_000;

/** The entry as it is stored; null where nobody needs to forget anything. */
export function packEntry({ datasources, groups, people, closed }: GroupClosureBatch): string | null {
  const named: Record<string, readonly number[] | null> = {};
  for (const [datasourceId, rows] of groups) {
    const changed = [...rows.named, ...rows.moved].map(({ index }) => index);
    if (changed.length > 0) named[datasourceId] = changed.length > maxNamedGroups ? null : changed;
  }
  for (const { datasourceId } of datasources) named[datasourceId] = null;
  for (const datasourceId of closed) named[datasourceId] = null;
  if (people.length === 0 && Object.keys(named).length === 0) return null;
  const entry: StoredEntry = {
    groups: named,
    people: people.length > maxNamedPeople ? null : people.map(({ email }) => email),
  };
  return JSON.stringify(entry);
}

/** What {@link packEntry} packed. */
export function unpackEntry(text: string): JournalEntry {
  const { groups, people } = JSON.parse(text) as StoredEntry;
  const changed = Object.entries(groups).map(
    ([datasourceId, indexes]) => [datasourceId as DatasourceId, indexes && new Set(indexes)] as const,
  );
  return { groups: new Map(changed), people: people && new Set(people) };
}
