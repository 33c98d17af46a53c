import type { DatasourceLimits } from "../src/shared/credential.js";
import type { CredentialId } from "../src/shared/ids.js";
import type { Position } from "../src/shared/position.js";
import type { Result } from "../src/shared/result.js";
import type { Rejection } from "./rejection.js";

/** The credential that gives a command, and the request in which it does. */
export interface CommandContext {
  readonly by: CredentialId | "operator";
  readonly correlationId: string;
  /** The event that this command reacts to. Left out: the request itself. */
  readonly causationId?: string;
  /** null: all datasources. */
  readonly allowedDatasources: DatasourceLimits;
  /** A document that is restricted and would become visible to everybody registered is refused. */
  readonly neverWidens?: boolean;
  /** Decide and write nothing: the reply says what would have come of it. Left out: it is carried out. */
  readonly dryRun?: boolean;
  /** Whether nobody waits for the reply any more: files that are not being read yet are left then. */
  isAbandoned?(): boolean;
}

export interface Written<Value> {
  readonly value: Value;
  /**
   * Where the newest event stands that any reply of this process rests on by now, this one included; becomes the
   * consistency token, which never goes backwards. null where nothing has ever been written.
   */
  readonly position: Position | null;
}

export type CommandResult<Value> = Promise<Result<Written<Value>, Rejection>>;
/** That a credential was used, as it is to be noted. */
export interface Use {
  /** ISO instant. */
  readonly usedAt: string;
  /** Uses that are no further apart than this are one. */
  readonly everyMs: number;
}

/** Whether a use is to be written down, after the newest that is; null: none is. */
export const isWorthNoting = ({ usedAt, everyMs }: Use, lastUsedAt: string | null): boolean =>
  lastUsedAt === null || Date.parse(usedAt) - Date.parse(lastUsedAt) >= everyMs;
