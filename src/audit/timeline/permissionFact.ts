import { match, P } from "ts-pattern";
import { apiKeyEventTypes, serviceAccountEventTypes } from "../../events/credential.js";
import type { DocumentAccess } from "../../events/document.js";
import type { DomainEvent, EventBesidesAccess } from "../../events/domainEvent.js";
import type { MembershipEvent } from "../../events/membership.js";
import { accountEventTypes } from "../../events/account.js";
import { agentEventTypes } from "../../events/agent.js";
import { answerEventTypes } from "../../events/answer.js";
import { auditQuestionEventTypes } from "../../events/auditQuestion.js";
import { fileEventTypes } from "../../events/file.js";
import { projectionEventTypes } from "../../events/projection.js";
import { sessionEventTypes } from "../../events/session.js";
import { syncRunEventTypes } from "../../events/syncRun.js";
import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../shared/ids.js";

/**
 * Something that an event says of who may see what, or of what people and groups are called. A fact is about the one
 * thing that it happens to; everything that is told of the past folds these facts.
 */
export type PermissionFact = IncarnationFact | PersonFact | GroupFact | DocumentFact;

/** A name came to stand for an incarnation of a datasource, or ceased to: with it goes everything in it. */
interface IncarnationFact {
  readonly about: "incarnation";
  readonly kind: "opened" | "closed";
  readonly datasourceId: DatasourceId;
  readonly name: DatasourceName;
}

/**
 * A person on one incarnation of a datasource. `groupId` is the group that is joined or left. A person who is not
 * registered does not join, and a deletion ends every membership that is left.
 */
type PersonFact = {
  readonly about: "person";
  readonly datasourceId: DatasourceId;
  readonly email: Email;
} & (
  | { readonly kind: "registered"; readonly name: string | null }
  | { readonly kind: "renamed"; readonly name: string }
  | { readonly kind: "deleted" }
  | { readonly kind: "joined" | "left"; readonly groupId: GroupId }
);

/** A group. `parentId` is the group that it joins or leaves with all of its members. */
type GroupFact = {
  readonly about: "group";
  readonly datasourceId: DatasourceId;
  readonly groupId: GroupId;
} & (
  | { readonly kind: "created"; readonly name: string }
  | { readonly kind: "renamed"; readonly name: string; readonly previousName: string }
  | { readonly kind: "deleted"; readonly name: string }
  | { readonly kind: "joined" | "left"; readonly parentId: GroupId }
);

/** A document. The access list that it was indexed with replaces the one before. */
type DocumentFact = {
  readonly about: "document";
  readonly datasourceId: DatasourceId;
  readonly documentId: DocumentId;
} & ({ readonly kind: "indexed"; readonly access: DocumentAccess } | { readonly kind: "deleted" });

/** The kind of thing that a fact is about. */
export type PermissionSubject = PermissionFact["about"];
/** The facts about one kind of thing. */
export type FactAbout<About extends PermissionSubject> = Extract<PermissionFact, { readonly about: About }>;

/**
 * The one reading of events that whatever tells of the past rests on, and whatever proves a read model: it shares
 * nothing with projections. None: the event is about something else. The compiler asks for an answer to a new event.
 */
export function permissionFactsOf(event: DomainEvent): readonly PermissionFact[] {
  if (isOfOtherCategory(event)) return none;
  // The most frequent ones come first: a verification asks this for every event of the log.
  return match(event)
    .returnType<readonly PermissionFact[]>()
    .with({ type: "DocumentIndexed" }, ({ data: { datasourceId, documentId, access } }) => [
      { about: "document", kind: "indexed", datasourceId, documentId, access },
    ])
    .with({ type: "DocumentDeleted" }, ({ data: { datasourceId, documentId } }) => [
      { about: "document", kind: "deleted", datasourceId, documentId },
    ])
    .with({ type: "MembershipAdded" }, ({ data }) => [membership("joined", data)])
    .with({ type: "MembershipRemoved" }, ({ data }) => [membership("left", data)])
    .with({ type: "GroupMembersReplaced" }, ({ data: { datasourceId, groupId, joined, left } }) => {
      const told = (kind: "joined" | "left") => (email: Email) =>
        ({ about: "person", kind, datasourceId, email, groupId }) as const;
      return [...left.map(told("left")), ...joined.map(told("joined"))];
    })
    .with({ type: "UserRegistered" }, ({ data: { datasourceId, email, name } }) => [
      { about: "person", kind: "registered", datasourceId, email, name },
    ])
    .with({ type: "UserRenamed" }, ({ data: { datasourceId, email, name } }) => [
      { about: "person", kind: "renamed", datasourceId, email, name },
    ])
    .with({ type: "UserDeleted" }, ({ data }) => [{ about: "person", kind: "deleted", ...data }])
    .with({ type: "GroupDeleted" }, ({ data }) => [{ about: "group", kind: "deleted", ...data }])
    .with({ type: "GroupCreated" }, ({ data: { datasourceId, groupId, name } }) => [
      { about: "group", kind: "created", datasourceId, groupId, name },
    ])
    .with({ type: "GroupRenamed" }, ({ data: { datasourceId, groupId, name, previousName } }) => [
      { about: "group", kind: "renamed", datasourceId, groupId, name, previousName },
    ])
    .with({ type: "DatasourceRegistered" }, ({ data: { datasourceId, name } }) => [
      { about: "incarnation", kind: "opened", datasourceId, name },
    ])
    .with({ type: "DatasourceDeleted" }, ({ data: { datasourceId, name } }) => [
      { about: "incarnation", kind: "closed", datasourceId, name },
    ])
    .with({ type: P.union("DatasourceUpdated", "SubAdded", "SubRemoved") }, () => none)
    .exhaustive();
}

const none: readonly PermissionFact[] = [];

const membership = (
  kind: "joined" | "left",
  { datasourceId, groupId, member }: MembershipEvent["data"],
): PermissionFact =>
  member.kind === "user"
    ? { about: "person", kind, datasourceId, email: member.email, groupId }
    : { about: "group", kind, datasourceId, groupId: member.groupId, parentId: groupId };

const otherEventTypes: Readonly<Record<EventBesidesAccess["type"], true>> = {
  ...serviceAccountEventTypes,
  ...apiKeyEventTypes,
  ...projectionEventTypes,
  ...auditQuestionEventTypes,
  ...fileEventTypes,
  ...agentEventTypes,
  ...answerEventTypes,
  ...syncRunEventTypes,
  ...accountEventTypes,
  ...sessionEventTypes,
};

const isOfOtherCategory = (event: DomainEvent): event is EventBesidesAccess =>
  Object.hasOwn(otherEventTypes, event.type);
