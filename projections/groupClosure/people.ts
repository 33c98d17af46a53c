import type { DatasourceId, Email, GroupId } from "../../src/shared/ids.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { noIndexes, withIndex, withoutIndex } from "../../src/shared/sortedIndexes.js";
import type { PersonChange } from "./changes.js";
import type { PersonKey, PersonRow } from "./ports.js";

type MutableRow = { -readonly [Field in keyof PersonRow]: PersonRow[Field] };

/** The people that one batch names: gathered first, then read at once, then changed, then written once each. */
export class People {
  private readonly rows = new Map<DatasourceId, Map<Email, MutableRow | null>>();
  private readonly changes: PersonChange[] = [];

  constructor(private readonly tokens: PrincipalTokens) {}

  gather(change: PersonChange): void {
    this.changes.push(change);
    const people = this.rows.get(change.datasourceId);
    if (people === undefined) this.rows.set(change.datasourceId, new Map([[change.email, null]]));
    else people.set(change.email, null);
  }

  /** Forgets what was gathered of a datasource that is closed later in the batch. */
  drop(datasourceId: DatasourceId): void {
    this.rows.delete(datasourceId);
  }

  datasources(): Iterable<DatasourceId> {
    return this.rows.keys();
  }

  keys(): readonly PersonKey[] {
    return [...this.rows].flatMap(([datasourceId, people]) => Array.from(people.keys(), (email) => ({ datasourceId, email })));
  }

  /** Changes the rows that were read, and those that there were not; answers with all of them. */
  follow(stored: readonly PersonRow[], indexOf: (datasourceId: DatasourceId, groupId: GroupId) => number): readonly PersonRow[] {
    for (const row of stored) this.rows.get(row.datasourceId)?.set(row.email, { ...row });
    for (const change of this.changes) {
      const row = this.rowOf(change);
      if (row === undefined) continue;
      if (change.kind === "personRegistered") row.registered = true;
      else if (change.kind === "personJoined") row.groups = withIndex(row.groups, indexOf(change.datasourceId, change.groupId));
      else row.groups = withoutIndex(row.groups, indexOf(change.datasourceId, change.groupId));
    }
    return [...this.rows.values()].flatMap((people) => [...people.values()].filter((row) => row !== null));
  }

  /** undefined where the datasource was dropped. */
  private rowOf({ datasourceId, email }: PersonKey): MutableRow | undefined {
    const people = this.rows.get(datasourceId);
    const known = people?.get(email);
    if (people === undefined || (known !== undefined && known !== null)) return known ?? undefined;
    const row: MutableRow = { datasourceId, email, registered: false, token: this.tokens.user(datasourceId, email), groups: noIndexes };
    people.set(email, row);
    return row;
  }
}
