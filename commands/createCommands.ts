import { randomUUID } from "node:crypto";
import { mintCredential } from "../src/shared/credential.js";
import { newAgentId, newDatasourceId, newFileId, newGroupId, newSyncRunId } from "../src/shared/ids.js";
import { Turns } from "../src/shared/turns.js";
import { bindCommands, type Commands, type OwnCommands } from "./commands.js";
import { CommandHandler } from "./handleCommand.js";
import type { EventLog, TextExtractor } from "./ports.js";
import type { Minting } from "./services.js";
import type { PreloadedState } from "./streamStates.js";

export interface CommandsOptions {
  readonly log: EventLog;
  /** The reserved prefix of group names, and the prefix of credentials. */
  readonly productName: string;
  now(): Date;
  /** Left out: no file can be read. */
  readonly extractor?: TextExtractor;
  /** Random by default. */
  readonly minting?: Minting;
  /** Random by default. */
  newEventId?(): string;
  /** How often a command is decided, where other processes keep writing to its stream, before `TooMuchContention`. */
  readonly maxAttempts?: number;
  /** Left out: every stream is read from its beginning. */
  readonly preloadedState?: PreloadedState;
}

const readsNothing: TextExtractor = {
  extract: async () => ({ kind: "unextractable", reason: "Files are not read here." }),
};

const randomly: Minting = {
  datasourceId: newDatasourceId,
  groupId: newGroupId,
  syncRunId: newSyncRunId,
  fileId: newFileId,
  agentId: newAgentId,
  credential: mintCredential,
};

/**
 * Everything that can be asked of the write side, on one log. Rejections are values; a promise rejects only where the
 * log fails, and then the command may be sent again.
 */
export function createCommands({
  log,
  productName,
  now,
  extractor = readsNothing,
  minting = randomly,
  newEventId = randomUUID,
  maxAttempts = 50,
  preloadedState,
}: CommandsOptions): Commands & OwnCommands {
  return bindCommands({
    handler: new CommandHandler({ log, now, newEventId, maxAttempts, preloadedState }),
    minting,
    extractor,
    fileTurns: new Turns(),
    now,
    productName,
  });
}
