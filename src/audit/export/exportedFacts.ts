import { match, P } from "ts-pattern";
import type { DatasourceEvent } from "../../events/datasource.js";
import type { DocumentAccess, DocumentEvent } from "../../events/document.js";
import type { GroupGraphEvent } from "../../events/groupGraph.js";
import type { GroupMembersEvent, Member } from "../../events/membership.js";
import type { UserEvent } from "../../events/user.js";

/** Events of the categories that decide who may see what. */
export type PermissionEvent = DatasourceEvent | GroupGraphEvent | GroupMembersEvent | UserEvent | DocumentEvent;

/**
 * What an event says about permissions, in the form that goes into an export; null where it says nothing about them. It
 * tells of documents only their ids and who may see them, of people only their login email: no titles, texts, hashes of
 * texts, paths, authors, properties or display names. It is no part of the timeline, because the form belongs to the
 * format of the export: what was once exported has to come out the same for ever, whatever becomes of events and facts.
 */
export function exportedFactsOf(event: PermissionEvent): object | null {
  return match(event)
    .with({ type: P.union("DatasourceRegistered", "DatasourceDeleted") }, ({ data }) => ({
      datasource_id: data.datasourceId,
      datasource: data.name,
    }))
    .with({ type: P.union("GroupCreated", "GroupDeleted") }, ({ data }) => ({
      datasource_id: data.datasourceId,
      group_id: data.groupId,
      name: data.name,
    }))
    .with({ type: "GroupRenamed" }, ({ data }) => ({
      datasource_id: data.datasourceId,
      group_id: data.groupId,
      name: data.name,
      previous_name: data.previousName,
    }))
    .with({ type: P.union("MembershipAdded", "MembershipRemoved") }, ({ data }) => ({
      datasource_id: data.datasourceId,
      group_id: data.groupId,
      member: memberOf(data.member),
    }))
    .with({ type: "GroupMembersReplaced" }, ({ data }) => ({
      datasource_id: data.datasourceId,
      group_id: data.groupId,
      joined: [...data.joined],
      left: [...data.left],
    }))
    .with({ type: P.union("UserRegistered", "UserDeleted") }, ({ data }) => ({
      datasource_id: data.datasourceId,
      email: data.email,
    }))
    .with({ type: "DocumentIndexed" }, ({ data }) => ({
      datasource_id: data.datasourceId,
      datasource: data.datasource,
      document_id: data.documentId,
      access: accessOf(data.access),
      widened_to_anonymous: data.widenedToAnonymous,
    }))
    .with({ type: "DocumentDeleted" }, ({ data }) => ({
      datasource_id: data.datasourceId,
      datasource: data.datasource,
      document_id: data.documentId,
    }))
    .with({ type: P.union("DatasourceUpdated", "SubAdded", "SubRemoved", "UserRenamed") }, () => null)
    .exhaustive();
}

const memberOf = (member: Member): object =>
  member.kind === "user" ? { kind: "user", email: member.email } : { kind: "group", group_id: member.groupId };

const accessOf = ({ anonymous, users, groups, isDefault }: DocumentAccess): object => ({
  anonymous,
  users: [...users],
  groups: [...groups],
  ...(isDefault === true && { is_default: true }),
});
