import type { DatasourceId, GroupId, PrincipalToken } from "../../src/shared/ids.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import type { GroupChange } from "./changes.js";
import { Closure, type Nesting } from "./closure.js";
import type { GroupRow, GroupRows } from "./ports.js";

interface Label {
  readonly groupId: GroupId;
  name: string;
  token: PrincipalToken;
}

/** All groups of one datasource, held in memory while changes are followed. */
export class Groups {
  private readonly labels: Label[] = [];
  private readonly indexes = new Map<GroupId, number>();
  private readonly closure: Closure;
  /** Not written yet: groups with another name, and nestings that the closure has not followed. */
  private renamed = new Set<number>();
  private nestings: Nesting[] = [];

  constructor(
    private readonly datasourceId: DatasourceId,
    private readonly tokens: PrincipalTokens,
    rows: readonly GroupRow[],
  ) {
    this.closure = Closure.restore(rows);
    for (const { groupId, name, token } of rows) this.addLabel({ groupId, name, token });
  }

  /** Throws where the log never created such a group: its event is parked, or the log is damaged. */
  indexOf(groupId: GroupId): number {
    const index = this.indexes.get(groupId);
    if (index === undefined) throw new Error(`Group ${groupId} of datasource ${this.datasourceId} was never created.`);
    return index;
  }

  gather(change: Exclude<GroupChange, { readonly kind: "groupsForgotten" }>): void {
    if (change.kind === "groupNamed") this.name(change.groupId, change.name);
    else if (change.kind === "groupDeleted") this.delete(change.groupId);
    else this.nestings.push(this.toNesting(change));
  }

  /** Follows the collected nestings, and returns the rows that are to be written. */
  take(): GroupRows {
    const { renamed } = this;
    const moved = [...this.closure.follow(this.nestings)].filter((index) => !renamed.has(index));
    this.renamed = new Set();
    this.nestings = [];
    return { named: this.rowsOf([...renamed]), moved: this.rowsOf(moved) };
  }

  private toNesting(change: Extract<GroupChange, { readonly kind: "groupJoined" | "groupLeft" }>): Nesting {
    const kind = change.kind === "groupJoined" ? "joined" : "left";
    return { kind, member: this.indexOf(change.member), group: this.indexOf(change.groupId) };
  }

  private name(groupId: GroupId, name: string): void {
    const index = this.indexes.get(groupId);
    const label = index === undefined ? undefined : this.labels[index];
    if (label?.name === name) return;
    const token = this.tokens.group(this.datasourceId, name);
    if (label === undefined) this.closure.add();
    else Object.assign(label, { name, token });
    this.renamed.add(index ?? this.addLabel({ groupId, name, token }));
  }

  /** The row stays, for the people whose memberships name it, with a token that no document can carry. */
  private delete(groupId: GroupId): void {
    const index = this.indexOf(groupId);
    const token = this.tokens.deletedGroup(this.datasourceId, groupId);
    Object.assign(this.labels[index] as Label, { name: "", token });
    this.renamed.add(index);
  }

  private addLabel(label: Label): number {
    const index = this.labels.push(label) - 1;
    this.indexes.set(label.groupId, index);
    return index;
  }

  private rowsOf(indexes: readonly number[]): readonly GroupRow[] {
    return indexes.toSorted((a, b) => a - b).map((index) => this.rowOf(index));
  }

  private rowOf(index: number): GroupRow {
    const label = this.labels[index] as Label;
    return { index, ...label, parents: this.closure.parentsOf(index), ancestors: this.closure.ancestorsOf(index) };
  }
}
