import type { DatasourceId, Email, GroupId } from "../../src/shared/ids.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { placeOf } from "../../src/shared/sortedIndexes.js";
import type { PersonChange } from "./changes.js";
import type { PersonKey, PersonRow } from "./ports.js";

/**
 * Like {@link PersonRow}, but changed in place: a new set for each of millions of memberships would be mostly garbage.
 */
interface MutableRow extends Omit<PersonRow, "registered" | "groups"> {
  registered: boolean;
  /** True where the stored row differs. */
  isChanged: boolean;
  /** Sorted. */
  readonly groups: number[];
}

/** Where groups' indexes are found. */
interface GroupIndexes {
  indexOf(groupId: GroupId): number;
}

/**
 * People that were changed, written already or not. Changes of people that are not known yet wait, so that rows can be
 * read together.
 */
export class People {
  /** null: still to be read. */
  private readonly rows = new Map<DatasourceId, Map<Email, MutableRow | null>>();
  private waiting: PersonChange[] = [];
  private toRead: PersonKey[] = [];
  private count = 0;

  constructor(private readonly tokens: PrincipalTokens) {}

  /** How many rows are held. */
  get size(): number {
    return this.count;
  }

  /** `groups` are the datasource's. `isNew` says that nothing of it was ever written, so nobody has to be read. */
  follow(change: PersonChange, groups: GroupIndexes, isNew: boolean): void {
    const people = this.rows.get(change.datasourceId) ?? this.add(change.datasourceId);
    const row = people.get(change.email);
    if (row !== undefined && row !== null) return this.changeRow(row, change, groups);
    if (row === undefined) this.count++;
    if (isNew) return this.changeRow(this.addRow(people, change), change, groups);
    if (row === undefined) this.toRead.push(change);
    people.set(change.email, null);
    this.waiting.push(change);
  }

  /** Forgets the people of a datasource that is closed. */
  drop(datasourceId: DatasourceId): void {
    this.count -= this.rows.get(datasourceId)?.size ?? 0;
    this.rows.delete(datasourceId);
  }

  /** Reads the people not known yet, and follows what waited for them. */
  async applyWaiting(
    read: (keys: readonly PersonKey[]) => Promise<readonly PersonRow[]>,
    groupsOf: (datasourceId: DatasourceId) => GroupIndexes,
  ): Promise<void> {
    if (this.waiting.length === 0) return;
    for (const row of await read(this.toRead))
      this.rows.get(row.datasourceId)?.set(row.email, { ...row, isChanged: false, groups: [...row.groups] });
    for (const change of this.waiting) {
      const people = this.rows.get(change.datasourceId);
      if (people !== undefined)
        this.changeRow(people.get(change.email) ?? this.addRow(people, change), change, groupsOf(change.datasourceId));
    }
    this.waiting = [];
    this.toRead = [];
  }

  /**
   * The rows that are to be written. They are kept only where further changes are about to come, perhaps of the same
   * people.
   */
  take(isHeldOn: boolean): readonly PersonRow[] {
    const taken: PersonRow[] = [];
    for (const people of this.rows.values()) {
      for (const row of people.values()) {
        if (row === null || !row.isChanged) continue;
        taken.push({
          datasourceId: row.datasourceId,
          email: row.email,
          registered: row.registered,
          token: row.token,
          groups: new Uint32Array(row.groups),
        });
        row.isChanged = false;
      }
    }
    if (!isHeldOn) this.clear();
    return taken;
  }

  clear(): void {
    this.rows.clear();
    this.waiting = [];
    this.toRead = [];
    this.count = 0;
  }

  private changeRow(row: MutableRow, change: PersonChange, groups: GroupIndexes): void {
    row.isChanged = true;
    if (change.kind === "personRegistered") {
      row.registered = true;
      row.groups.length = 0;
      return;
    }
    if (change.kind === "personForgotten") {
      row.registered = false;
      row.groups.length = 0;
      return;
    }
    if (change.kind === "personJoined" && !row.registered) return;
    const index = groups.indexOf(change.groupId);
    const place = placeOf(row.groups, index);
    const isMember = row.groups[place] === index;
    if (change.kind === "personLeft" && isMember) row.groups.splice(place, 1);
    else if (change.kind === "personJoined" && place === row.groups.length) row.groups.push(index);
    else if (change.kind === "personJoined" && !isMember) row.groups.splice(place, 0, index);
  }

  private add(datasourceId: DatasourceId): Map<Email, MutableRow | null> {
    const people = new Map<Email, MutableRow | null>();
    this.rows.set(datasourceId, people);
    return people;
  }

  private addRow(people: Map<Email, MutableRow | null>, { datasourceId, email }: PersonKey): MutableRow {
    const row: MutableRow = {
      datasourceId,
      email,
      registered: false,
      isChanged: true,
      token: this.tokens.user(datasourceId, email),
      groups: [],
    };
    people.set(email, row);
    return row;
  }
}
