import type { DatasourceLimits } from "../src/shared/datasourceLimit.js";
import type { CredentialId } from "../src/shared/ids.js";
import type { Position } from "../src/shared/position.js";
import type { Result } from "../src/shared/result.js";
import type { Rejection } from "./rejection.js";

/** Who gives a command, and in which request. */
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
