import type { RecordedEvent } from "../../events/domainEvent.js";
import type { GroupGraphEvent } from "../../events/groupGraph.js";
import type { DatasourceId, GroupId } from "../../shared/ids.js";
import type { DatasourceHistory } from "./datasourceHistory.js";
import { readLog, type LogStretch } from "./readLog.js";

interface Group {
  name: string | null;
  /** The groups that it belongs to directly. */
  readonly in: Set<GroupId>;
}

/** The groups of all live datasources, without any closure: whoever asks walks the edges. */
export class GroupHistory {
  private readonly groups = new Map<DatasourceId, Map<GroupId, Group>>();

  static async read(stretch: Omit<LogStretch, "categories">, datasources: DatasourceHistory): Promise<GroupHistory> {
    const history = new GroupHistory();
    for await (const events of readLog({ ...stretch, categories: ["groupGraph"] })) {
      for (const { event } of events as readonly RecordedEvent<GroupGraphEvent>[])
        if (datasources.isLive(event.data.datasourceId)) history.follow(event);
    }
    return history;
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

  private follow(event: GroupGraphEvent): void {
    const group = this.group(
      event.data.datasourceId,
      event.type === "GroupCreated" || event.type === "GroupRenamed" || event.data.member.kind === "user"
        ? event.data.groupId
        : event.data.member.groupId,
    );
    if (event.type === "GroupCreated" || event.type === "GroupRenamed") group.name = event.data.name;
    else if (event.type === "MembershipAdded") group.in.add(event.data.groupId);
    else group.in.delete(event.data.groupId);
  }

  private group(datasourceId: DatasourceId, groupId: GroupId): Group {
    const ofDatasource = this.groups.get(datasourceId) ?? new Map<GroupId, Group>();
    this.groups.set(datasourceId, ofDatasource);
    const group = ofDatasource.get(groupId) ?? { name: null, in: new Set() };
    ofDatasource.set(groupId, group);
    return group;
  }
}
