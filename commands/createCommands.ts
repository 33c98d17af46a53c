import { randomUUID } from "node:crypto";
import { mintCredential } from "../src/shared/credential.js";
import { newDatasourceId, newGroupId } from "../src/shared/ids.js";
import { createCreateApiKey } from "./apiKey/createApiKey.js";
import { createRevokeApiKey } from "./apiKey/revokeApiKey.js";
import type { Commands } from "./commands.js";
import { createAddSub } from "./datasource/addSub.js";
import { createDeleteDatasource } from "./datasource/deleteDatasource.js";
import { createRegisterDatasource } from "./datasource/registerDatasource.js";
import { createRemoveSub } from "./datasource/removeSub.js";
import { createUpdateDatasource } from "./datasource/updateDatasource.js";
import { createDeleteDocument } from "./document/deleteDocument.js";
import { createIndexDocument } from "./document/indexDocument.js";
import { createIndexDocuments } from "./document/indexDocuments.js";
import { createWithdrawText, type WithdrawText } from "./document/withdrawText.js";
import { createAddMembership } from "./group/addMembership.js";
import { createCreateGroup } from "./group/createGroup.js";
import { createFoldGroupGraph, type FoldGroupGraph } from "./group/foldGroupGraph.js";
import { createRemoveMembership } from "./group/removeMembership.js";
import { createRenameGroup } from "./group/renameGroup.js";
import { CommandHandler } from "./handleCommand.js";
import type { EventLog } from "./ports.js";
import { createAcceptVersion } from "./projection/acceptVersion.js";
import { createActivateVersion } from "./projection/activateVersion.js";
import { createRepairReadModel } from "./projection/repairReadModel.js";
import { createDiscardParked } from "./projection/discardParked.js";
import { createDropVersion } from "./projection/dropVersion.js";
import { createPauseProjection } from "./projection/pauseProjection.js";
import { createRebuildProjection } from "./projection/rebuildProjection.js";
import { createRecordComparison } from "./projection/recordComparison.js";
import { createResumeProjection } from "./projection/resumeProjection.js";
import { createRetryParked } from "./projection/retryParked.js";
import { createRollBackProjection } from "./projection/rollBackProjection.js";
import { createCreateServiceAccount } from "./serviceAccount/createServiceAccount.js";
import { createRevokeServiceAccount } from "./serviceAccount/revokeServiceAccount.js";
import type { CommandServices, Minting } from "./services.js";
import type { FoldedAhead } from "./streamStates.js";
import { createRegisterUser } from "./user/registerUser.js";
import { createRenameUser } from "./user/renameUser.js";

export interface CommandsOptions {
  readonly log: EventLog;
  /** The reserved prefix of group names, and the prefix of credentials. */
  readonly productName: string;
  now(): Date;
  /** Random by default. */
  readonly minting?: Minting;
  /** Random by default. */
  newEventId?(): string;
  /** How often a command is decided, where other processes keep writing to its stream, before `TooMuchContention`. */
  readonly maxAttempts?: number;
  /** Left out: every stream is folded here. */
  readonly preloadedState?: FoldedAhead;
}

const randomly: Minting = { datasourceId: newDatasourceId, groupId: newGroupId, credential: mintCredential };

/**
 * Everything that can be asked of the write side, on one log. Rejections are values; a promise rejects only where the
 * log fails, and then the command may be sent again.
 */
export function createCommands({
  log,
  productName,
  now,
  minting = randomly,
  newEventId = randomUUID,
  maxAttempts = 50,
  preloadedState,
}: CommandsOptions): Commands & { readonly foldGroupGraph: FoldGroupGraph; readonly withdrawText: WithdrawText } {
  const services: CommandServices = {
    handler: new CommandHandler({ log, now, newEventId, maxAttempts, preloadedState }),
    minting,
    productName,
  };
  return {
    registerDatasource: createRegisterDatasource(services),
    updateDatasource: createUpdateDatasource(services),
    deleteDatasource: createDeleteDatasource(services),
    addSub: createAddSub(services),
    removeSub: createRemoveSub(services),
    indexDocument: createIndexDocument(services),
    indexDocuments: createIndexDocuments(services),
    deleteDocument: createDeleteDocument(services),
    registerUser: createRegisterUser(services),
    renameUser: createRenameUser(services),
    createGroup: createCreateGroup(services),
    renameGroup: createRenameGroup(services),
    addMembership: createAddMembership(services),
    removeMembership: createRemoveMembership(services),
    createServiceAccount: createCreateServiceAccount(services),
    revokeServiceAccount: createRevokeServiceAccount(services),
    createApiKey: createCreateApiKey(services),
    revokeApiKey: createRevokeApiKey(services),
    acceptVersion: createAcceptVersion(services),
    activateVersion: createActivateVersion(services),
    discardParked: createDiscardParked(services),
    repairReadModel: createRepairReadModel(services),
    dropVersion: createDropVersion(services),
    pauseProjection: createPauseProjection(services),
    rebuildProjection: createRebuildProjection(services),
    recordComparison: createRecordComparison(services),
    resumeProjection: createResumeProjection(services),
    retryParked: createRetryParked(services),
    rollBackProjection: createRollBackProjection(services),
    foldGroupGraph: createFoldGroupGraph(services),
    withdrawText: createWithdrawText(services),
  };
}
