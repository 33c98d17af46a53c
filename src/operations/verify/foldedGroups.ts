import { match } from "ts-pattern";
import { permissionFactOf, type FactAbout } from "../../audit/timeline/permissionFact.js";
import type { DatasourceId, GroupId } from "../../shared/ids.js";
import type { FoldedDatasources } from "./foldedDatasources.js";
import { readLog, type LogStretch } from "./readLog.js";

interface Group {
  name: string | null;
  /** The groups that it belongs to directly. */
  readonly in: Set<GroupId>;
}

/** The groups of all live datasources as the log leaves them, without any closure: every question walks the edges. */
export class FoldedGroups {
  private readonly groups = new Map<DatasourceId, Map<GroupId, Group>>();

  static async read(stretch: Omit<LogStretch, "categories">, datasources: FoldedDatasources): Promise<FoldedGroups> {
    const groups = new FoldedGroups();
    for await (const events of readLog({ ...stretch, categories: ["groupGraph"] })) {
      for (const { event } of events) {
        const fact = permissionFactOf(event);
        if (fact?.about === "group" && datasources.isLive(fact.datasourceId)) groups.follow(fact);
      }
    }
    return groups;
  }

  /** Names of the groups that somebody belongs to who belongs to these. */
  namesAbove(datasourceId: DatasourceId, direct: Iterable<GroupId>): ReadonlySet<string> {
    const names = new Set<string>();
    const groups = this.groups.get(datasourceId);
    const seen = new Set<GroupId>(direct);
    // A set that is walked meets what is put into it on the way.
    for (const groupId of seen) {
      const group = groups?.get(groupId);
      if (group === undefined || group.name === null) continue;
      names.add(group.name);
      for (const parent of group.in) seen.add(parent);
    }
    return names;
  }

  private follow(fact: FactAbout<"group">): void {
    const group = this.group(fact.datasourceId, fact.groupId);
    match(fact)
      .with({ kind: "created" }, { kind: "renamed" }, ({ name }) => {
        group.name = name;
      })
      .with({ kind: "deleted" }, () => {
        group.name = null;
      })
      .with({ kind: "joined" }, ({ parentId }) => void group.in.add(parentId))
      .with({ kind: "left" }, ({ parentId }) => void group.in.delete(parentId))
      .exhaustive();
  }

  private group(datasourceId: DatasourceId, groupId: GroupId): Group {
    const groups = this.groups.get(datasourceId) ?? new Map<GroupId, Group>();
    this.groups.set(datasourceId, groups);
    const group = groups.get(groupId) ?? { name: null, in: new Set() };
    groups.set(groupId, group);
    return group;
  }
}
