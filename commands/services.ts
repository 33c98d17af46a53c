import type { Credential, CredentialKind } from "../src/shared/credential.js";
import type { StreamName } from "../src/events/streams.js";
import type { AgentId, CredentialId, DatasourceId, FileId, GroupId, SyncRunId } from "../src/shared/ids.js";
import type { Turns } from "../src/shared/waiting.js";
import type { IsEasyToGuess, PasswordHasher, TextExtractor } from "./ports.js";
import type { CommandHandler } from "./handleCommand.js";

/** Where new ids and secrets come from: the only chance in the write side. */
export interface Minting {
  datasourceId(): DatasourceId;
  groupId(): GroupId;
  syncRunId(): SyncRunId;
  fileId(): FileId;
  agentId(): AgentId;
  credential(kind: CredentialKind): Credential;
  linkSecret(): string;
}

/** What every command works with. */
export interface CommandServices {
  readonly handler: CommandHandler;
  readonly minting: Minting;
  /** For files whose text is wanted. */
  readonly extractor: TextExtractor;
  readonly passwordHasher: PasswordHasher;
  readonly isEasyToGuess: IsEasyToGuess;
  /** Files of one document wait for each other: reading one takes its time, and the later one is decided after it. */
  readonly fileTurns: Turns<StreamName>;
  now(): Date;
  /** The reserved prefix of group names, and the prefix of credentials. */
  readonly productName: string;
}

/** A credential that was just created. */
export interface CreatedCredential {
  readonly id: CredentialId;
  /** The whole credential: shown to the person once, stored nowhere. */
  readonly credential: string;
}
