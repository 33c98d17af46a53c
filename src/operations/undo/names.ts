import type { DatasourceEvent } from "../../events/datasource.js";
import { groupGraphStream } from "../../events/streams.js";
import type { DatasourceId, DatasourceName, GroupId } from "../../shared/ids.js";
import { beginning } from "../../shared/position.js";
import type { GroupGraphEvent } from "../../events/groupGraph.js";
import type { UndoLog } from "./ports.js";

/** What commands call datasources and groups that events name by their ids: as they are called now. */
export class Names {
  private datasources: Promise<ReadonlyMap<DatasourceId, DatasourceName>> | null = null;
  private readonly groups = new Map<DatasourceId, Promise<ReadonlyMap<GroupId, string>>>();

  constructor(private readonly log: UndoLog) {}

  /** null where the incarnation is gone. */
  async datasource(id: DatasourceId): Promise<DatasourceName | null> {
    this.datasources ??= this.readDatasources();
    return (await this.datasources).get(id) ?? null;
  }

  async group(datasourceId: DatasourceId, id: GroupId): Promise<string> {
    const groups = this.groups.get(datasourceId) ?? this.readGroups(datasourceId);
    this.groups.set(datasourceId, groups);
    return (await groups).get(id) ?? id;
  }

  private async readDatasources(): Promise<ReadonlyMap<DatasourceId, DatasourceName>> {
    const names = new Map<DatasourceId, DatasourceName>();
    for await (const events of this.log.readRange(beginning, await this.log.head(), ["datasource"])) {
      for (const event of events.map((recorded) => recorded.event as DatasourceEvent)) {
        if (event.type === "DatasourceRegistered") names.set(event.data.datasourceId, event.data.name);
        else if (event.type === "DatasourceDeleted") names.delete(event.data.datasourceId);
      }
    }
    return names;
  }

  private async readGroups(datasourceId: DatasourceId): Promise<ReadonlyMap<GroupId, string>> {
    const names = new Map<GroupId, string>();
    for (const { event } of await this.log.readStream(groupGraphStream(datasourceId), 0)) {
      const named = event as GroupGraphEvent;
      if (named.type === "GroupCreated" || named.type === "GroupRenamed")
        names.set(named.data.groupId, named.data.name);
    }
    return names;
  }
}

/** Why nothing is done about what belonged to a datasource that is gone. */
export const datasourceGone = "Its datasource has been deleted.";
