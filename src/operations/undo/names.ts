import { match } from "ts-pattern";
import { permissionFactsOf } from "../../audit/timeline/permissionFact.js";
import { isEventType } from "../../events/eventTypes.js";
import { groupGraphStream } from "../../events/streams.js";
import type { DatasourceId, DatasourceName, GroupId } from "../../shared/ids.js";
import { beginning } from "../../shared/position.js";
import type { UndoLog } from "./ports.js";

/** The names that datasources and groups have now: commands need names where events have ids. */
export class Names {
  private datasources: Promise<ReadonlyMap<DatasourceId, DatasourceName>> | null = null;
  private readonly groups = new Map<DatasourceId, Promise<ReadonlyMap<GroupId, string>>>();

  constructor(private readonly log: UndoLog) {}

  /** null where the incarnation is gone. */
  async datasource(id: DatasourceId): Promise<DatasourceName | null> {
    this.datasources ??= this.readDatasources();
    return (await this.datasources).get(id) ?? null;
  }

  /** null where the group is gone. */
  async group(datasourceId: DatasourceId, id: GroupId): Promise<string | null> {
    const groups = this.groups.get(datasourceId) ?? this.readGroups(datasourceId);
    this.groups.set(datasourceId, groups);
    return (await groups).get(id) ?? null;
  }

  private async readDatasources(): Promise<ReadonlyMap<DatasourceId, DatasourceName>> {
    const names = new Map<DatasourceId, DatasourceName>();
    for await (const events of this.log.readRange(beginning, await this.log.head(), ["datasource"])) {
      for (const fact of events.flatMap(({ event }) => permissionFactsOf(event))) {
        if (fact.about !== "incarnation") continue;
        match(fact)
          .with({ kind: "opened" }, ({ datasourceId, name }) => void names.set(datasourceId, name))
          .with({ kind: "closed" }, ({ datasourceId }) => void names.delete(datasourceId))
          .exhaustive();
      }
    }
    return names;
  }

  private async readGroups(datasourceId: DatasourceId): Promise<ReadonlyMap<GroupId, string>> {
    const names = new Map<GroupId, string>();
    const events = await this.log.readStream(groupGraphStream(datasourceId), 0);
    for (const fact of events.flatMap(({ event }) => (isEventType(event.type) ? permissionFactsOf(event) : []))) {
      if (fact.about !== "group") continue;
      if (fact.kind === "deleted") names.delete(fact.groupId);
      else if ("name" in fact) names.set(fact.groupId, fact.name);
    }
    return names;
  }
}

/** Why nothing is done about what belonged to a datasource that is gone. */
export const datasourceGone = "Its datasource has been deleted.";
