import type { DocumentAccess } from "../src/events/document.js";
import type { Datasource, ObjectDefinition } from "../src/events/datasource.js";
import type { ComparisonSummary } from "../src/events/projection.js";
import type { Role } from "../src/shared/credential.js";
import type { CredentialId, DatasourceName, DocumentId, Email } from "../src/shared/ids.js";
import type { Position } from "../src/shared/position.js";
import type { Result } from "../src/shared/result.js";
import type { Rejection } from "./rejection.js";

/** Who asks, and for which request. */
export interface CommandContext {
  readonly by: CredentialId | "operator";
  readonly correlationId: string;
  /** The event that this is an answer to; left out: the request itself. */
  readonly causationId?: string;
  /** null: all datasources. */
  readonly allowedDatasources: readonly DatasourceName[] | null;
}

export interface Written<Value> {
  readonly value: Value;
  /**
   * Of the newest event this answer rests on; becomes the consistency token. null where nothing has ever been written.
   */
  readonly position: Position | null;
}

export type CommandResult<Value> = Promise<Result<Written<Value>, Rejection>>;

/** A sub as the client declared it; `key` is derived from `name` where it is left out. */
export interface SubDeclaration {
  readonly name: string;
  readonly key: string | null;
  readonly parentKey: string | null;
  readonly subs: readonly SubDeclaration[];
}

export interface RegisterDatasource {
  readonly name: DatasourceName;
  readonly displayName: string | null;
  readonly icon: string | null;
  readonly subs: readonly SubDeclaration[];
  readonly objectDefinitions: readonly ObjectDefinition[];
}

/** Absent fields stay as they are. */
export interface UpdateDatasource {
  readonly name: DatasourceName;
  readonly displayName?: string;
  readonly icon?: string | null;
  readonly objectDefinitions?: readonly ObjectDefinition[];
}

export interface AddSub {
  readonly datasource: DatasourceName;
  readonly sub: SubDeclaration;
}

export interface RemoveSub {
  readonly datasource: DatasourceName;
  readonly key: string;
  /** Says which child is meant where a key stands under several parents; null: not given. */
  readonly parentKey: string | null;
}

/** The document's text, or why there is none. */
export type DocumentBody =
  | { readonly kind: "text"; readonly text: string; readonly mimeType: string; readonly size: number }
  | { readonly kind: "unextractable"; readonly reason: string; readonly mimeType: string };

export interface IndexDocument {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
  readonly title: string;
  readonly body: DocumentBody;
  readonly fileType: string;
  readonly pathPreview: string | null;
  readonly path: string | null;
  readonly author: string | null;
  readonly lastModified: string | null;
  readonly sub: string | null;
  readonly childSub: string | null;
  /** null: no `permissions` block, which means anonymous (spec: Visibility rules, 2). */
  readonly access: DocumentAccess | null;
  readonly customProperties: readonly { readonly name: string; readonly value: unknown }[];
}

export type DocumentOutcome = "sent" | "already_indexed" | "skipped" | "failed";

export interface IndexedDocument {
  readonly documentId: DocumentId;
  readonly outcome: DocumentOutcome;
  readonly message: string;
}

export interface DeleteDocument {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
}

export interface RegisterUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
  readonly name: string | null;
}

export interface RenameUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
  readonly name: string;
}

export interface CreateGroup {
  readonly datasource: DatasourceName;
  readonly name: string;
}

export interface RenameGroup {
  readonly datasource: DatasourceName;
  readonly name: string;
  readonly newName: string;
}

export type MemberReference =
  { readonly kind: "user"; readonly email: Email } | { readonly kind: "group"; readonly name: string };

/** For `AddMembership` and `RemoveMembership` alike. */
export interface MembershipReference {
  readonly datasource: DatasourceName;
  readonly group: string;
  readonly member: MemberReference;
}

export interface CreateServiceAccount {
  readonly name: string;
  readonly datasources: readonly DatasourceName[] | null;
  readonly expiresAt: string | null;
}

export interface CreateApiKey {
  readonly email: Email;
  readonly expiresAt: string | null;
  /** In any order, repeats allowed. */
  readonly roles: readonly Role[];
}

export interface CreatedCredential {
  readonly id: CredentialId;
  /** The whole credential: shown to the person once, stored nowhere. */
  readonly credential: string;
}

/** A projection by the name that a person gave; there may be none. */
export interface ProjectionReference {
  readonly name: string;
}

export interface VersionReference extends ProjectionReference {
  readonly version: number;
}

export interface RebuildProjection extends ProjectionReference {
  /** Compare everything before the swap, not only counts and recent questions. */
  readonly verify: boolean;
  /** How many versions that were served before are kept. */
  readonly keep: number;
  /** Serve the new version whatever the comparison finds. */
  readonly accepted: boolean;
}

/** An event that a version of a projection could not apply. */
export interface ParkedReference extends VersionReference {
  readonly position: Position;
}

export interface DiscardParked extends ParkedReference {
  /** The type of the event, as it is parked. */
  readonly eventType: string;
}

export interface RepairReadModel extends VersionReference {
  /** What is to be made afresh, in the projection's words. */
  readonly scopes: readonly string[];
}

/** Everything that can be asked of the write side. One file per command; this is the registry's shape. */
export interface Commands {
  registerDatasource(command: RegisterDatasource, context: CommandContext): CommandResult<Datasource>;
  updateDatasource(command: UpdateDatasource, context: CommandContext): CommandResult<Datasource>;
  deleteDatasource(command: { readonly name: DatasourceName }, context: CommandContext): CommandResult<null>;
  addSub(
    command: AddSub,
    context: CommandContext,
  ): CommandResult<{ readonly name: string; readonly key: string; readonly parentKey: string | null }>;
  removeSub(command: RemoveSub, context: CommandContext): CommandResult<null>;
  /** The single form: a schema violation or an unknown datasource is a rejection (spec: POST /documents). */
  indexDocument(command: IndexDocument, context: CommandContext): CommandResult<IndexedDocument>;
  /** The array form: never rejected; errors of one document become `failed` entries, in the order given. */
  indexDocuments(
    commands: readonly IndexDocument[],
    context: CommandContext,
  ): Promise<Written<readonly IndexedDocument[]>>;
  deleteDocument(command: DeleteDocument, context: CommandContext): CommandResult<null>;
  registerUser(command: RegisterUser, context: CommandContext): CommandResult<null>;
  renameUser(command: RenameUser, context: CommandContext): CommandResult<null>;
  createGroup(command: CreateGroup, context: CommandContext): CommandResult<null>;
  renameGroup(command: RenameGroup, context: CommandContext): CommandResult<null>;
  addMembership(command: MembershipReference, context: CommandContext): CommandResult<null>;
  removeMembership(command: MembershipReference, context: CommandContext): CommandResult<null>;
  createServiceAccount(command: CreateServiceAccount, context: CommandContext): CommandResult<CreatedCredential>;
  revokeServiceAccount(command: { readonly id: CredentialId }, context: CommandContext): CommandResult<null>;
  createApiKey(command: CreateApiKey, context: CommandContext): CommandResult<CreatedCredential>;
  revokeApiKey(command: { readonly id: CredentialId }, context: CommandContext): CommandResult<null>;
  rebuildProjection(command: RebuildProjection, context: CommandContext): CommandResult<null>;
  recordComparison(
    command: VersionReference & { readonly comparison: ComparisonSummary },
    context: CommandContext,
  ): CommandResult<null>;
  acceptVersion(command: ProjectionReference, context: CommandContext): CommandResult<null>;
  activateVersion(command: VersionReference, context: CommandContext): CommandResult<null>;
  rollBackProjection(command: ProjectionReference, context: CommandContext): CommandResult<null>;
  dropVersion(command: VersionReference, context: CommandContext): CommandResult<null>;
  pauseProjection(command: ProjectionReference, context: CommandContext): CommandResult<null>;
  resumeProjection(command: ProjectionReference, context: CommandContext): CommandResult<null>;
  retryParked(command: ParkedReference, context: CommandContext): CommandResult<null>;
  discardParked(command: DiscardParked, context: CommandContext): CommandResult<null>;
  repairReadModel(command: RepairReadModel, context: CommandContext): CommandResult<null>;
}
