import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { OwnCommands } from "../../commands/commands.js";
import type { FollowedFiles } from "./uploadedFiles.js";
import { repeatUntilStopped } from "../shared/waiting.js";

const intervalMs = 60_000;

/** What files expire with. */
interface FileExpiry {
  readonly files: Pick<FollowedFiles, "uploadedUpTo">;
  readonly expire: OwnCommands["expireFile"];
  readonly ttlMs: number;
  readonly logger: Logger;
  now(): number;
}

/**
 * Erases files whose time is over, and looks again every minute, until it is stopped. Every process may do so: of
 * several that find the same file due, one erases it. What fails is logged and tried again.
 */
export const startFileExpiry = (expiry: FileExpiry): { stop(): Promise<void> } =>
  repeatUntilStopped(intervalMs, (signal) => expireFiles(expiry, signal));

/** Erases what is due now. Never rejects. */
export async function expireFiles(
  { files, expire, ttlMs, logger, now }: FileExpiry,
  signal: AbortSignal,
): Promise<void> {
  const correlationId = `file-expiry-${randomUUID()}`;
  let erased = 0;
  try {
    for (const fileId of files.uploadedUpTo(now() - ttlMs)) {
      if (signal.aborted) break;
      const answer = await expire(fileId, { by: "operator", correlationId, allowedDatasources: null });
      if (answer.ok) erased++;
    }
  } catch (error) {
    if (!signal.aborted)
      logger.error({ err: error }, "Files that have expired could not be erased; it is tried again.");
  }
  if (erased > 0) logger.info({ files: erased }, "Files that have expired were erased.");
}
