import {
  createAccount,
  setRoles,
  disableAccount,
  enableAccount,
  endSessions,
  issueAccountLink,
  setPassword,
} from "./account/accountCommands.js";
import { createAgent, updateAgent, deleteAgent } from "./agent/agentCommands.js";
import { recordWebQuery } from "./answer/recordWebQuery.js";
import { createApiKey, revokeApiKey, noteApiKeyUsed } from "./apiKey/apiKeyCommands.js";
import { recordAuditQuestion } from "./auditQuestion/recordAuditQuestion.js";
import {
  addSub,
  deleteDatasource,
  registerDatasource,
  updateDatasource,
  removeSub,
} from "./datasource/datasourceCommands.js";
import { deleteDocument, indexDocument, indexDocuments, withdrawText } from "./document/documentCommands.js";
import { eraseFile, uploadFile, expireFile, withdrawFile } from "./file/fileCommands.js";
import { addMembership, removeMembership } from "./group/membershipCommands.js";
import { createGroup, renameGroup, deleteGroup, foldGroupGraph } from "./group/groupCommands.js";
import { replaceGroupMembers } from "./groupMembers/replaceGroupMembers.js";
import {
  acceptVersion,
  rebuildProjection,
  activateVersion,
  rollBackProjection,
  dropVersion,
  pauseProjection,
  resumeProjection,
  retryParked,
  discardParked,
  repairReadModel,
  recordComparison,
} from "./projection/projectionCommands.js";
import {
  bindServiceAccount,
  createServiceAccount,
  rotateServiceAccount,
  noteServiceAccountUsed,
  revokeServiceAccount,
} from "./serviceAccount/serviceAccountCommands.js";
import { endSession, noteSessionUsed, startSession, knowsBrowser } from "./session/sessionCommands.js";
import {
  abortSyncRun,
  commitSyncRun,
  findSyncRun,
  seeDocuments,
  startSyncRun,
  deleteUnseen,
} from "./syncRun/syncRunCommands.js";
import { deleteUser, registerUser, renameUser } from "./user/userCommands.js";
import type { CommandContext, CommandResult } from "./command.js";
import type { CommandServices } from "./services.js";
import { categoryOf } from "../src/events/streams.js";
import type { UnclaimedText } from "./ports.js";

export type { CommandContext, CommandResult, Written } from "./command.js";
export type { CreatedAccount } from "./account/accountCommands.js";
export type { AccountLink } from "./account/accountCommands.js";
export type { StartedSession } from "./session/sessionCommands.js";
export type { RotatedCredential } from "./serviceAccount/serviceAccountCommands.js";
export type { RegisterDatasource } from "./datasource/declaration.js";
export type { SubDeclaration } from "./datasource/subTree.js";
export type { DocumentBody, DocumentOutcome, IndexDocument, IndexedDocument } from "./document/indexing.js";
export type { FoundSyncRun } from "./syncRun/syncRunCommands.js";
export type { KnownMembers } from "./groupMembers/members.js";
export type { MemberReference, MembershipReference } from "./group/membershipCommands.js";

/**
 * Everything that clients and operators can ask of the write side. docs/extending.md tells what else a new command
 * touches.
 */
const commands = {
  registerDatasource,
  updateDatasource,
  deleteDatasource,
  addSub,
  removeSub,
  indexDocument,
  indexDocuments,
  deleteDocument,
  registerUser,
  renameUser,
  deleteUser,
  createGroup,
  renameGroup,
  deleteGroup,
  addMembership,
  removeMembership,
  replaceGroupMembers,
  uploadFile,
  eraseFile,
  createAgent,
  updateAgent,
  deleteAgent,
  createServiceAccount,
  bindServiceAccount,
  rotateServiceAccount,
  noteServiceAccountUsed,
  revokeServiceAccount,
  createApiKey,
  noteApiKeyUsed,
  revokeApiKey,
  createAccount,
  setRoles,
  issueAccountLink,
  setPassword,
  disableAccount,
  enableAccount,
  endSessions,
  startSession,
  knowsBrowser,
  noteSessionUsed,
  endSession,
  acceptVersion,
  activateVersion,
  discardParked,
  dropVersion,
  pauseProjection,
  rebuildProjection,
  recordAuditQuestion,
  recordComparison,
  recordWebQuery,
  repairReadModel,
  resumeProjection,
  retryParked,
  rollBackProjection,
  abortSyncRun,
  commitSyncRun,
  deleteUnseen,
  findSyncRun,
  seeDocuments,
  startSyncRun,
};

/** Withdraws a content whose event never came, of a document or of a file. No client can ask for this. */
const withdrawContent = (
  services: CommandServices,
  content: UnclaimedText,
  context: CommandContext,
): CommandResult<null> =>
  categoryOf(content.stream) === "file"
    ? withdrawFile(services, content, context)
    : withdrawText(services, content, context);

/** What the service asks of itself. */
const ownCommands = { foldGroupGraph, withdrawContent, expireFile };

type Bound<Command> = Command extends (services: CommandServices, ...asked: infer Asked) => infer Reply
  ? (...asked: Asked) => Reply
  : never;

type BoundAll<All> = { readonly [Name in keyof All]: Bound<All[Name]> };

/** The commands with their services bound: callers need not know the log. */
export type Commands = BoundAll<typeof commands>;

export type OwnCommands = BoundAll<typeof ownCommands>;

/** Every command, each on these services. */
export function bindCommands(services: CommandServices): Commands & OwnCommands {
  const bind =
    (command: (services: CommandServices, ...asked: never[]) => unknown) =>
    (...asked: never[]) =>
      command(services, ...asked);
  const all = Object.entries({ ...commands, ...ownCommands });
  return Object.fromEntries(all.map(([name, command]) => [name, bind(command)])) as unknown as Commands & OwnCommands;
}
