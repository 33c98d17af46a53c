import type { DocumentWithText } from "../../commands/document/indexing.js";
import type { Commands, CommandContext } from "../../commands/commands.js";
import type { AgentCreated, AgentDefinition } from "../../src/events/agent.js";
import type { WebQuerySent } from "../../src/events/answer.js";
import type { Datasource } from "../../src/events/datasource.js";
import type { DocumentIndexed } from "../../src/events/document.js";
import type { DomainEvent, EventType } from "../../src/events/domainEvent.js";
import type { FileUploaded } from "../../src/events/file.js";
import type { ComparisonSummary } from "../../src/events/projection.js";
import {
  toAgentId,
  toAnswerId,
  toCredentialId,
  toDatasourceId,
  toDatasourceName,
  toDocumentId,
  toEmail,
  toGroupId,
  toFileId,
  toSyncRunId,
} from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";

/** A canonical example of every event. */
export type ExampleEvents = { readonly [Type in EventType]: Extract<DomainEvent, { readonly type: Type }> };
/** A canonical example of every command. */
export type ExampleCommands = { readonly [Name in keyof Commands]: Parameters<Commands[Name]>[0] } & {
  readonly indexDocument: DocumentWithText;
};

export const datasourceId = toDatasourceId("incarnation1");
export const wiki = toDatasourceName("wiki");
export const handbook = toDocumentId("handbook-1.0");
export const alice = toEmail("alice@example.org");
export const bob = toEmail("bob@example.org");
export const staffId = toGroupId("group-staff");
export const engineersId = toGroupId("group-engineers");
export const serviceAccountId = toCredentialId("account1");
export const apiKeyId = toCredentialId("key1");
export const sessionId = toCredentialId("session1");

/** On behalf of the command line, which may do everything. */
export const operator: CommandContext = { by: "operator", correlationId: "request-1", allowedDatasources: null };
/** On behalf of a service account that is limited to these datasources. */
export const limitedTo = (...names: readonly string[]): CommandContext => ({
  by: serviceAccountId,
  correlationId: "request-2",
  allowedDatasources: names.map((name) => ({ name: toDatasourceName(name), datasourceId: null })),
});

/** SHA-256 of the text "Welcome." and its length. */
export const welcome = { sha256: "3fc2118d352cbb01db0d8b015d9df5926e416c4b75379601277187da80329c6b", bytes: 8 };

export const wikiDatasource: Datasource = {
  datasourceId,
  name: wiki,
  displayName: "Wiki",
  icon: null,
  subs: [
    {
      name: "Guides",
      key: "guides",
      subs: [
        { name: "Onboarding", key: "onboarding" },
        { name: "Archive", key: "archive" },
      ],
    },
    { name: "Policies", key: "policies", subs: [{ name: "Archive", key: "archive" }] },
  ],
  defaultAccess: "anonymous",
  objectDefinitions: [
    {
      name: "page",
      propertyDefinitions: [
        { name: "team", displayLabel: "Team", isSearchable: true, propertyType: "TEXT" },
        { name: "rating", displayLabel: "Rating", isSearchable: false, propertyType: "INTEGER" },
        { name: "due", displayLabel: "Due", isSearchable: false, propertyType: "DATE" },
        { name: "reviewed", displayLabel: "Reviewed", isSearchable: false, propertyType: "BOOLEAN" },
      ],
    },
  ],
};

const indexed: DocumentIndexed["data"] = {
  datasourceId,
  datasource: wiki,
  documentId: handbook,
  title: "Handbook",
  content: welcome,
  mimeType: "text/plain",
  size: 8,
  fileType: "page",
  pathPreview: "https://wiki.example.org/handbook",
  path: "Wiki / Handbook",
  author: "Alice",
  lastModified: "2024-05-01T10:00:00Z",
  sub: "guides",
  childSub: "onboarding",
  access: { anonymous: false, users: [alice], groups: ["staff"] },
  customProperties: [{ name: "team", value: "people" }],
  supersededContent: null,
  widenedToAnonymous: false,
};

const nested = { datasourceId, groupId: staffId, member: { kind: "group", groupId: engineersId } } as const;
const secretSha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

const usedAt = "2030-01-01T00:30:00.000Z";
/** Of no password: nothing hashes to it. */
const passwordHash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaA";

const secondVersion = { projection: "search", version: 2 } as const;
const sameAnswers: ComparisonSummary = {
  depth: "full",
  position: "42",
  compared: 7,
  differences: 0,
  kinds: [{ kind: "documents", compared: 7, differences: 0 }],
};

const syncRunId = toSyncRunId("run1");
const syncRun = {
  ...{ syncRunId, datasourceId, datasource: wiki, maxDeletedShare: 0.2, expiresAt: "2030-01-01T00:00:00.000Z" },
};
const answered = {
  question: "access",
  about: { user: toEmail("alice@example.org"), document: "wiki/onboarding" },
  asOf: "42",
} as const;

const fileId = toFileId("file_1");
const uploadedFile: FileUploaded["data"] = {
  ...{ fileId, owner: toEmail("alice@example.org"), uploadType: "document", name: "plan.pdf" },
  content: { sha256: "a".repeat(64), bytes: 2_048 },
  text: { sha256: "b".repeat(64), bytes: 12 },
  facts: { mimeType: "application/pdf", pageCount: 1 },
};

const agentId = toAgentId("agent1");
const definition: AgentDefinition = {
  ...{ name: "Travel desk", instructions: "Answer from the handbook alone.", model: null, webAfterInternal: false },
  ...{ tools: ["internalSearch"], sources: ["handbook"], users: [toEmail("alice@example.org")] },
};
const agent: AgentCreated["data"] = { agentId, ...definition };
const webQuery: WebQuerySent["data"] = {
  ...{ answerId: toAnswerId("answer1"), person: toEmail("alice@example.org"), mode: null },
  queries: ["travel rules"],
};

export const events: ExampleEvents = {
  SyncRunStarted: { type: "SyncRunStarted", data: syncRun },
  DocumentsSeen: { type: "DocumentsSeen", data: { syncRunId, documentIds: [handbook] } },
  SyncRunCommitted: { type: "SyncRunCommitted", data: { syncRunId, missing: 1, documents: 9, isConfirmed: false } },
  SyncRunAborted: { type: "SyncRunAborted", data: { syncRunId } },
  FileUploaded: { type: "FileUploaded", data: uploadedFile },
  FileErased: {
    type: "FileErased",
    data: { fileId, because: "owner", contents: [uploadedFile.content, uploadedFile.text] },
  },
  AgentCreated: { type: "AgentCreated", data: agent },
  AgentUpdated: { type: "AgentUpdated", data: { ...agent, users: null } },
  AgentDeleted: { type: "AgentDeleted", data: { agentId } },
  WebQuerySent: { type: "WebQuerySent", data: webQuery },
  AuditQuestionAnswered: { type: "AuditQuestionAnswered", data: answered },
  DatasourceRegistered: { type: "DatasourceRegistered", data: wikiDatasource },
  DatasourceUpdated: { type: "DatasourceUpdated", data: { datasourceId, displayName: "The wiki", icon: "aWNvbg==" } },
  DatasourceDeleted: { type: "DatasourceDeleted", data: { datasourceId, name: wiki } },
  SubAdded: {
    type: "SubAdded",
    data: { datasourceId, name: "How-tos", key: "how_tos", parentKey: "guides", subs: [] },
  },
  SubRemoved: { type: "SubRemoved", data: { datasourceId, key: "guides", parentKey: null } },
  GroupMembersReplaced: {
    type: "GroupMembersReplaced",
    data: { datasourceId, groupId: staffId, joined: [alice], left: [bob] },
  },
  GroupCreated: { type: "GroupCreated", data: { datasourceId, groupId: staffId, name: "staff" } },
  GroupRenamed: {
    type: "GroupRenamed",
    data: { datasourceId, groupId: staffId, name: "everybody", previousName: "staff" },
  },
  GroupDeleted: { type: "GroupDeleted", data: { datasourceId, groupId: staffId, name: "staff" } },
  MembershipAdded: { type: "MembershipAdded", data: nested },
  MembershipRemoved: { type: "MembershipRemoved", data: nested },
  UserRegistered: { type: "UserRegistered", data: { datasourceId, email: alice, name: "Alice" } },
  UserRenamed: { type: "UserRenamed", data: { datasourceId, email: alice, name: "Alice Liddell" } },
  UserDeleted: { type: "UserDeleted", data: { datasourceId, email: alice } },
  DocumentIndexed: { type: "DocumentIndexed", data: indexed },
  DocumentDeleted: {
    type: "DocumentDeleted",
    data: { datasourceId, datasource: wiki, documentId: handbook, supersededContent: welcome },
  },
  ServiceAccountCreated: {
    type: "ServiceAccountCreated",
    data: {
      id: serviceAccountId,
      name: "connector",
      datasources: [{ name: wiki, datasourceId: null }],
      secretSha256,
      expiresAt: null,
    },
  },
  ServiceAccountBound: {
    type: "ServiceAccountBound",
    data: { id: serviceAccountId, datasources: [{ name: wiki, datasourceId }] },
  },
  ServiceAccountRotated: {
    type: "ServiceAccountRotated",
    data: { id: serviceAccountId, secretSha256: "e".repeat(64), previousEndsAt: "2030-01-02T00:00:00.000Z" },
  },
  ServiceAccountUsed: { type: "ServiceAccountUsed", data: { id: serviceAccountId, usedAt } },
  ServiceAccountRevoked: { type: "ServiceAccountRevoked", data: { id: serviceAccountId } },
  ApiKeyCreated: {
    type: "ApiKeyCreated",
    data: { id: apiKeyId, email: alice, secretSha256, expiresAt: "2030-01-01T00:00:00.000Z", roles: ["auditor"] },
  },
  ApiKeyUsed: { type: "ApiKeyUsed", data: { id: apiKeyId, usedAt } },
  ApiKeyRevoked: { type: "ApiKeyRevoked", data: { id: apiKeyId } },
  AccountCreated: {
    type: "AccountCreated",
    data: { email: alice, roles: ["administrator", "developer"], origin: "operator" },
  },
  AccountRoleGiven: { type: "AccountRoleGiven", data: { email: alice, role: "auditor" } },
  AccountRoleTaken: { type: "AccountRoleTaken", data: { email: alice, role: "developer" } },
  AccountPasswordSet: { type: "AccountPasswordSet", data: { email: alice, passwordHash } },
  AccountLinkIssued: {
    type: "AccountLinkIssued",
    data: { email: alice, secretSha256, expiresAt: "2030-01-01T01:00:00.000Z" },
  },
  AccountSessionsEnded: { type: "AccountSessionsEnded", data: { email: alice } },
  AccountDisabled: { type: "AccountDisabled", data: { email: alice } },
  AccountEnabled: { type: "AccountEnabled", data: { email: alice } },
  SessionStarted: {
    type: "SessionStarted",
    data: {
      ...{ id: sessionId, email: alice, secretSha256, method: "password", accountRevision: 1 },
      expiresAt: "2030-01-01T12:00:00.000Z",
    },
  },
  SessionUsed: { type: "SessionUsed", data: { id: sessionId, usedAt } },
  SessionEnded: { type: "SessionEnded", data: { id: sessionId } },
  ProjectionRebuildStarted: {
    type: "ProjectionRebuildStarted",
    data: { ...secondVersion, verify: false, keep: 1, accepted: false },
  },
  ProjectionCompared: { type: "ProjectionCompared", data: { ...secondVersion, comparison: sameAnswers } },
  ProjectionVersionAccepted: { type: "ProjectionVersionAccepted", data: secondVersion },
  ProjectionRollbackStarted: { type: "ProjectionRollbackStarted", data: { projection: "search", version: 1 } },
  ProjectionVersionActivated: { type: "ProjectionVersionActivated", data: secondVersion },
  ProjectionVersionDropped: { type: "ProjectionVersionDropped", data: secondVersion },
  ProjectionPaused: { type: "ProjectionPaused", data: { projection: "search" } },
  ProjectionResumed: { type: "ProjectionResumed", data: { projection: "search" } },
  ParkedEventRetried: { type: "ParkedEventRetried", data: { projection: "search", version: 1, position: "42" } },
  ParkedEventDiscarded: { type: "ParkedEventDiscarded", data: { projection: "search", version: 1, position: "42" } },
  ReadModelRepairRequested: {
    type: "ReadModelRepairRequested",
    data: { projection: "groupClosure", version: 1, scopes: ["person ada@example.org"] },
  },
};

const sub = { name: "How-tos", key: "how_tos", parentKey: "guides", subs: [] };

const document: ExampleCommands["indexDocument"] = {
  datasource: wiki,
  documentId: handbook,
  title: "Handbook",
  body: { kind: "text", text: "Welcome.", mimeType: "text/plain", size: 8 },
  fileType: "page",
  pathPreview: "https://wiki.example.org/handbook",
  path: "Wiki / Handbook",
  author: "Alice",
  lastModified: "2024-05-01T10:00:00Z",
  sub: "guides",
  childSub: "onboarding",
  access: { anonymous: false, users: [alice], groups: ["staff"] },
  customProperties: [{ name: "team", value: "people" }],
};

export const commands: ExampleCommands = {
  startSyncRun: { datasource: wiki, maxDeletedShare: 0.2, expiresInHours: 24 },
  findSyncRun: { syncRunId },
  seeDocuments: { syncRunId, documentIds: [handbook] },
  commitSyncRun: { syncRunId, candidates: [handbook], documents: 9, isConfirmed: false },
  abortSyncRun: { syncRunId },
  deleteUnseen: { syncRunId, candidates: [handbook] },
  uploadFile: {
    ...{ owner: uploadedFile.owner, uploadType: "document", name: uploadedFile.name, path: "/nowhere" },
    ...{ content: uploadedFile.content, mimeType: "application/pdf", charset: null },
  },
  eraseFile: { fileId, owner: uploadedFile.owner },
  createAgent: { definition },
  updateAgent: { agentId, definition },
  deleteAgent: { agentId },
  recordWebQuery: webQuery,
  recordAuditQuestion: { answered, isLaterPage: false },
  registerDatasource: {
    name: wiki,
    displayName: "Wiki",
    icon: null,
    subs: wikiDatasource.subs.map(({ name, key, subs }) => ({
      name,
      key,
      parentKey: null,
      subs: subs.map((child) => ({ ...child, parentKey: null, subs: [] })),
    })),
    objectDefinitions: wikiDatasource.objectDefinitions,
  },
  updateDatasource: { name: wiki, displayName: "The wiki", icon: "aWNvbg==" },
  deleteDatasource: { name: wiki },
  addSub: { datasource: wiki, sub },
  removeSub: { datasource: wiki, key: "guides", parentKey: null },
  indexDocument: document,
  indexDocuments: [document],
  deleteDocument: { datasource: wiki, documentId: handbook },
  registerUser: { datasource: wiki, email: alice, name: "Alice" },
  renameUser: { datasource: wiki, email: alice, name: "Alice Liddell" },
  deleteUser: { datasource: wiki, email: alice },
  createGroup: { datasource: wiki, name: "staff" },
  renameGroup: { datasource: wiki, name: "staff", newName: "everybody" },
  deleteGroup: { datasource: wiki, name: "staff" },
  addMembership: { datasource: wiki, group: "staff", member: { kind: "user", email: alice } },
  removeMembership: { datasource: wiki, group: "staff", member: { kind: "user", email: alice } },
  replaceGroupMembers: {
    datasource: wiki,
    group: "staff",
    members: [alice],
    known: { groupId: staffId, asOf: toPosition(7), members: new Set([bob]), unregistered: [] },
  },
  createServiceAccount: { name: "connector", datasources: [wiki], expiresAt: null },
  bindServiceAccount: { id: serviceAccountId, names: [wiki] },
  rotateServiceAccount: { id: serviceAccountId, overlapMs: 86_400_000 },
  noteServiceAccountUsed: { id: serviceAccountId, usedAt, everyMs: 3_600_000 },
  revokeServiceAccount: { id: serviceAccountId },
  createApiKey: { email: alice, expiresAt: "2030-01-01T00:00:00.000Z", roles: ["auditor"] },
  noteApiKeyUsed: { id: apiKeyId, usedAt, everyMs: 3_600_000 },
  revokeApiKey: { id: apiKeyId },
  createAccount: { email: alice, roles: ["administrator", "developer"], origin: "operator", password: null },
  setRoles: { email: alice, roles: ["auditor"] },
  issueAccountLink: { email: alice },
  setPassword: { email: alice, password: "a long password indeed", proof: { kind: "link", secret: "s" } },
  disableAccount: { email: alice },
  enableAccount: { email: alice },
  endSessions: { email: alice },
  knowsBrowser: { email: alice, mark: "number.proof" },
  startSession: { email: alice, method: "password", password: "a long password indeed", lifetimeMs: 43_200_000 },
  noteSessionUsed: { id: sessionId, usedAt, everyMs: 300_000 },
  endSession: { id: sessionId },
  rebuildProjection: { name: "search", verify: false, keep: 1, accepted: false },
  recordComparison: { name: "search", version: 2, comparison: sameAnswers },
  acceptVersion: { name: "search" },
  activateVersion: { name: "search", version: 2 },
  rollBackProjection: { name: "search" },
  dropVersion: { name: "search", version: 2 },
  pauseProjection: { name: "search" },
  resumeProjection: { name: "search" },
  retryParked: { name: "search", version: 1, position: toPosition(42) },
  discardParked: { name: "search", version: 1, position: toPosition(42), eventType: "DocumentIndexed" },
  repairReadModel: { name: "groupClosure", version: 1, scopes: ["person ada@example.org"] },
};
