import type { KnownMembers } from "../../../commands/commands.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import { toGroupId, type DatasourceId, type Email, type GroupId } from "../../../src/shared/ids.js";
import { beginning } from "../../../src/shared/position.js";
import { NaiveMembers } from "../../support/naiveMembers.js";

/** Who belongs to a group, as a log has it that is about one datasource; the group need not be there. */
export function knownMembers(
  recorded: readonly RecordedEvent[],
  group: string,
  people: readonly Email[],
): KnownMembers & { readonly told: NaiveMembers } {
  const told = new NaiveMembers();
  const groups = new Map<string, GroupId>();
  let datasourceId: DatasourceId | null = null;
  for (const { event } of recorded) {
    told.follow(event);
    if (event.type === "DatasourceRegistered") ({ datasourceId } = event.data);
    if (event.type === "GroupDeleted") groups.delete(event.data.name);
    if (event.type === "GroupRenamed") groups.delete(event.data.previousName);
    if (event.type === "GroupCreated" || event.type === "GroupRenamed") groups.set(event.data.name, event.data.groupId);
  }
  const groupId = groups.get(group) ?? toGroupId("none");
  return {
    groupId,
    asOf: recorded.at(-1)?.position ?? beginning,
    members: new Set(told.of(groupId)),
    unregistered: people.filter((email) => datasourceId === null || !told.isRegistered(datasourceId, email)),
    told,
  };
}
