import { randomUUID } from "node:crypto";
import { mintCredential, mintLinkSecret } from "../src/shared/credential.js";
import { newAgentId, newDatasourceId, newFileId, newGroupId, newSyncRunId } from "../src/shared/ids.js";
import { Turns } from "../src/shared/waiting.js";
import { bindCommands, type Commands, type OwnCommands } from "./commands.js";
import { CommandHandler } from "./handleCommand.js";
import type { EventLog, IsEasyToGuess, PasswordHasher, TextExtractor } from "./ports.js";
import type { Minting } from "./services.js";
import type { PreloadedState } from "./streamStates.js";

export interface CommandsOptions {
  readonly log: EventLog;
  /** The reserved prefix of group names, and the prefix of credentials. */
  readonly productName: string;
  now(): Date;
  /** Left out: no file can be read. */
  readonly extractor?: TextExtractor;
  /** Left out: nobody has a password, and none can be set. */
  readonly passwordHasher?: PasswordHasher;
  /** Left out: every password that is long enough will do. */
  readonly isEasyToGuess?: IsEasyToGuess;
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

const hashesNothing: PasswordHasher = {
  hash: () => Promise.reject(new Error("No passwords are set here.")),
  verify: () => Promise.resolve(false),
};

const randomly: Minting = {
  datasourceId: newDatasourceId,
  groupId: newGroupId,
  syncRunId: newSyncRunId,
  fileId: newFileId,
  agentId: newAgentId,
  credential: mintCredential,
  linkSecret: mintLinkSecret,
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
  passwordHasher = hashesNothing,
  isEasyToGuess = () => Promise.resolve(false),
  minting = randomly,
  newEventId = randomUUID,
  maxAttempts = 50,
  preloadedState,
}: CommandsOptions): Commands & OwnCommands {
  return bindCommands({
    handler: new CommandHandler({ log, now, newEventId, maxAttempts, preloadedState }),
    minting,
    extractor,
    passwordHasher,
    isEasyToGuess,
    fileTurns: new Turns(),
    now,
    productName,
  });
}
