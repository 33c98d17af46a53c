import type { ProjectionName } from "./projection.js";
import {
  toDatasourceId,
  toDocumentId,
  type AgentId,
  type AnswerId,
  type CredentialId,
  type DatasourceId,
  type DatasourceName,
  type DocumentId,
  type Email,
  type FileId,
  type SyncRunId,
} from "../shared/ids.js";

declare const brand: unique symbol;
/** `{category}-{id}`: a consistency boundary of the log. */
export type StreamName = string & { readonly [brand]: "StreamName" };

export const streamCategories = [
  "datasource",
  "groupGraph",
  "user",
  "document",
  "serviceAccount",
  "apiKey",
  "projection",
  "auditQuestion",
  "syncRun",
  "groupMembers",
  "file",
  "agent",
  "answer",
  "account",
  "session",
] as const;
export type StreamCategory = (typeof streamCategories)[number];

/**
 * The categories whose events have no part in what is known of documents and who may see them: what is asked of
 * projections, what auditors ask, what connectors saw, files that people uploaded for themselves, agents, what left the
 * service for answers, and who signs in.
 */
const otherCategories = [
  "projection",
  "auditQuestion",
  "syncRun",
  "file",
  "agent",
  "answer",
  "account",
  "session",
] as const;
type OtherCategory = (typeof otherCategories)[number];

/** All others: the categories of what is so for more than one person. */
export const categoriesOfFacts = streamCategories.filter(
  (category): category is Exclude<StreamCategory, OtherCategory> =>
    !(otherCategories as readonly StreamCategory[]).includes(category),
);

const stream = (category: StreamCategory, id: string): StreamName => `${category}-${id}` as StreamName;

export const datasourceStream = (name: DatasourceName): StreamName => stream("datasource", name);
export const groupGraphStream = (id: DatasourceId): StreamName => stream("groupGraph", id);
export const groupMembersStream = (id: DatasourceId): StreamName => stream("groupMembers", id);
export const userStream = (id: DatasourceId, email: Email): StreamName => stream("user", `${id}:${email}`);
export const documentStream = (id: DatasourceId, document: DocumentId): StreamName =>
  stream("document", `${id}:${document}`);
export const serviceAccountStream = (id: CredentialId): StreamName => stream("serviceAccount", id);
export const projectionStream = (name: ProjectionName): StreamName => stream("projection", name);
export const auditQuestionStream = (by: CredentialId): StreamName => stream("auditQuestion", by);
export const syncRunStream = (id: SyncRunId): StreamName => stream("syncRun", id);
export const fileStream = (id: FileId): StreamName => stream("file", id);
export const agentStream = (id: AgentId): StreamName => stream("agent", id);
export const answerStream = (id: AnswerId): StreamName => stream("answer", id);
export const apiKeyStream = (id: CredentialId): StreamName => stream("apiKey", id);
export const accountStream = (email: Email): StreamName => stream("account", email);
export const sessionStream = (id: CredentialId): StreamName => stream("session", id);

/** The categories whose events decide who may see what. */
export const permissionCategories: readonly StreamCategory[] = [
  "datasource",
  "groupGraph",
  "groupMembers",
  "user",
  "document",
];

/** The document whose stream this is. */
export function documentIdsOf(name: StreamName): {
  readonly datasourceId: DatasourceId;
  readonly documentId: DocumentId;
} {
  const id = idOf(name);
  const at = id.indexOf(":");
  return { datasourceId: toDatasourceId(id.slice(0, at)), documentId: toDocumentId(id.slice(at + 1)) };
}

/** The part before the first hyphen: no category has one. */
export const categoryOf = (name: StreamName): StreamCategory => name.slice(0, name.indexOf("-")) as StreamCategory;

/** The part behind the first hyphen. */
export const idOf = (name: StreamName): string => name.slice(name.indexOf("-") + 1);

export const isStreamName = (text: string): text is StreamName =>
  text.includes("-") && streamCategories.includes(categoryOf(text as StreamName));
