import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { beginning, type Position } from "../../../shared/position.js";
import { isDamage } from "../../../shared/damage.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import { permissionHistoryFile, permissionHistoryProjection } from "./permissionHistorySchema.js";

const busyTimeoutMs = 1_000;

/**
 * How far a permission history has come, without creating it; null where there is none, or none that this program can
 * read, as one that is damaged.
 */
export function readHistoryPosition(file: string): Position | null {
  if (!existsSync(file)) return null;
  const database = new Database(file, { readonly: true, timeout: busyTimeoutMs });
  try {
    const found = database.pragma("user_version", { simple: true });
    if (found === 0) return beginning;
    return found === permissionHistoryFile(file).schema.version
      ? new Checkpoints(database, permissionHistoryProjection).read()
      : null;
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  } finally {
    database.close();
  }
}
