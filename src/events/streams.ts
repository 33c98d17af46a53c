import type { ProjectionName } from "./projection.js";
import type { CredentialId, DatasourceId, DatasourceName, DocumentId, Email, SyncRunId } from "../shared/ids.js";

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
] as const;
export type StreamCategory = (typeof streamCategories)[number];

/** The categories of what is so: all but what is asked of projections, what auditors ask, and what connectors saw. */
export const categoriesOfFacts = streamCategories.filter(
  (category) => category !== "projection" && category !== "auditQuestion" && category !== "syncRun",
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
export const apiKeyStream = (id: CredentialId): StreamName => stream("apiKey", id);

/** The categories whose events decide who may see what. */
export const permissionCategories: readonly StreamCategory[] = [
  "datasource",
  "groupGraph",
  "groupMembers",
  "user",
  "document",
];

/** The part before the first hyphen: no category has one. */
export const categoryOf = (name: StreamName): StreamCategory => name.slice(0, name.indexOf("-")) as StreamCategory;

/** The part behind the first hyphen. */
export const idOf = (name: StreamName): string => name.slice(name.indexOf("-") + 1);

export const isStreamName = (text: string): text is StreamName =>
  text.includes("-") && streamCategories.includes(categoryOf(text as StreamName));
