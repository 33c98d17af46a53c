import { createAccount } from "./account/createAccount.js";
import { disableAccount } from "./account/disableAccount.js";
import { enableAccount } from "./account/enableAccount.js";
import { endSessions } from "./account/endSessions.js";
import { issueAccountLink } from "./account/issueAccountLink.js";
import { setPassword } from "./account/setPassword.js";
import { setRoles } from "./account/setRoles.js";
import { createAgent } from "./agent/createAgent.js";
import { deleteAgent } from "./agent/deleteAgent.js";
import { updateAgent } from "./agent/updateAgent.js";
import { recordWebQuery } from "./answer/recordWebQuery.js";
import { createApiKey } from "./apiKey/createApiKey.js";
import { noteApiKeyUsed } from "./apiKey/noteApiKeyUsed.js";
import { revokeApiKey } from "./apiKey/revokeApiKey.js";
import { recordAuditQuestion } from "./auditQuestion/recordAuditQuestion.js";
import { addSub } from "./datasource/addSub.js";
import { deleteDatasource } from "./datasource/deleteDatasource.js";
import { registerDatasource } from "./datasource/registerDatasource.js";
import { removeSub } from "./datasource/removeSub.js";
import { updateDatasource } from "./datasource/updateDatasource.js";
import { deleteDocument } from "./document/deleteDocument.js";
import { indexDocument } from "./document/indexDocument.js";
import { indexDocuments } from "./document/indexDocuments.js";
import { eraseFile } from "./file/eraseFile.js";
import { expireFile } from "./file/expireFile.js";
import { uploadFile } from "./file/uploadFile.js";
import { addMembership } from "./group/addMembership.js";
import { createGroup } from "./group/createGroup.js";
import { deleteGroup } from "./group/deleteGroup.js";
import { foldGroupGraph } from "./group/foldGroupGraph.js";
import { removeMembership } from "./group/removeMembership.js";
import { renameGroup } from "./group/renameGroup.js";
import { replaceGroupMembers } from "./groupMembers/replaceGroupMembers.js";
import { acceptVersion } from "./projection/acceptVersion.js";
import { activateVersion } from "./projection/activateVersion.js";
import { discardParked } from "./projection/discardParked.js";
import { dropVersion } from "./projection/dropVersion.js";
import { pauseProjection } from "./projection/pauseProjection.js";
import { rebuildProjection } from "./projection/rebuildProjection.js";
import { recordComparison } from "./projection/recordComparison.js";
import { repairReadModel } from "./projection/repairReadModel.js";
import { resumeProjection } from "./projection/resumeProjection.js";
import { retryParked } from "./projection/retryParked.js";
import { rollBackProjection } from "./projection/rollBackProjection.js";
import { bindServiceAccount } from "./serviceAccount/bindServiceAccount.js";
import { createServiceAccount } from "./serviceAccount/createServiceAccount.js";
import { noteServiceAccountUsed } from "./serviceAccount/noteServiceAccountUsed.js";
import { revokeServiceAccount } from "./serviceAccount/revokeServiceAccount.js";
import { rotateServiceAccount } from "./serviceAccount/rotateServiceAccount.js";
import { endSession } from "./session/endSession.js";
import { noteSessionUsed } from "./session/noteSessionUsed.js";
import { startSession } from "./session/startSession.js";
import { abortSyncRun } from "./syncRun/abortSyncRun.js";
import { commitSyncRun } from "./syncRun/commitSyncRun.js";
import { deleteUnseen } from "./syncRun/deleteUnseen.js";
import { findSyncRun } from "./syncRun/findSyncRun.js";
import { seeDocuments } from "./syncRun/seeDocuments.js";
import { startSyncRun } from "./syncRun/startSyncRun.js";
import { deleteUser } from "./user/deleteUser.js";
import { registerUser } from "./user/registerUser.js";
import { renameUser } from "./user/renameUser.js";
import type { CommandServices } from "./services.js";
import { withdrawContent } from "./withdrawContent.js";

export type { CommandContext, CommandResult, Written } from "./command.js";
export type { CreatedAccount } from "./account/createAccount.js";
export type { AccountLink } from "./account/link.js";
export type { StartedSession } from "./session/startSession.js";
export type { RotatedCredential } from "./serviceAccount/rotateServiceAccount.js";
export type { RegisterDatasource } from "./datasource/declaration.js";
export type { SubDeclaration } from "./datasource/subTree.js";
export type { DocumentBody, DocumentOutcome, IndexDocument, IndexedDocument } from "./document/indexing.js";
export type { FoundSyncRun } from "./syncRun/findSyncRun.js";
export type { KnownMembers } from "./groupMembers/members.js";
export type { MemberReference, MembershipReference } from "./group/handleMembership.js";

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
