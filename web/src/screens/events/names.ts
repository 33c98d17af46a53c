import type { paths } from "../../../../dist/api/schema.js";

type Asked = NonNullable<paths["/api/admin/events/page"]["get"]["parameters"]["query"]>;

/** A category of streams, as the API knows it. */
export type Category = NonNullable<Asked["category"]>;
/** A type of events, as the API knows it. */
export type EventType = NonNullable<Asked["type"]>;

// Names are keys, so that one that the API knows and this list lacks does not compile.
const allCategories: Readonly<Record<Category, true>> = {
  account: true,
  agent: true,
  answer: true,
  apiKey: true,
  auditQuestion: true,
  datasource: true,
  document: true,
  file: true,
  groupGraph: true,
  groupMembers: true,
  projection: true,
  serviceAccount: true,
  session: true,
  syncRun: true,
  user: true,
};

const allTypes: Readonly<Record<EventType, true>> = {
  AccountCreated: true,
  AccountDisabled: true,
  AccountEnabled: true,
  AccountLinkIssued: true,
  AccountPasswordSet: true,
  AccountRoleGiven: true,
  AccountRoleTaken: true,
  AccountSessionsEnded: true,
  AgentCreated: true,
  AgentDeleted: true,
  AgentUpdated: true,
  ApiKeyCreated: true,
  ApiKeyRevoked: true,
  ApiKeyUsed: true,
  AuditQuestionAnswered: true,
  DatasourceDeleted: true,
  DatasourceRegistered: true,
  DatasourceUpdated: true,
  DocumentDeleted: true,
  DocumentIndexed: true,
  DocumentsSeen: true,
  FileErased: true,
  FileUploaded: true,
  GroupCreated: true,
  GroupDeleted: true,
  GroupMembersReplaced: true,
  GroupRenamed: true,
  MembershipAdded: true,
  MembershipRemoved: true,
  ParkedEventDiscarded: true,
  ParkedEventRetried: true,
  ProjectionCompared: true,
  ProjectionPaused: true,
  ProjectionRebuildStarted: true,
  ProjectionResumed: true,
  ProjectionRollbackStarted: true,
  ProjectionVersionAccepted: true,
  ProjectionVersionActivated: true,
  ProjectionVersionDropped: true,
  ReadModelRepairRequested: true,
  ServiceAccountBound: true,
  ServiceAccountCreated: true,
  ServiceAccountRevoked: true,
  ServiceAccountRotated: true,
  ServiceAccountUsed: true,
  SessionEnded: true,
  SessionStarted: true,
  SessionUsed: true,
  SubAdded: true,
  SubRemoved: true,
  SyncRunAborted: true,
  SyncRunCommitted: true,
  SyncRunStarted: true,
  UserDeleted: true,
  UserRegistered: true,
  UserRenamed: true,
  WebQuerySent: true,
};

/** Every category, by name. */
export const categories = Object.keys(allCategories) as readonly Category[];
/** Every type of events, by name. */
export const eventTypes = Object.keys(allTypes) as readonly EventType[];
