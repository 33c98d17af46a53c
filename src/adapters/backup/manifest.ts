import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { BackupRefused } from "../../shared/failures.js";

/** In a backup's folder; written last, so that a backup that broke off has none. */
export const manifestFile = "manifest.json";

export const logFile = "log.sqlite";

export const signingKeyFile = "auditSigningKey.pem";
const format = "enterprise-search backup 1";

/** A file of a backup, as it was written. */
interface BackedUpFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** What a backup holds. */
export interface Manifest {
  readonly format: typeof format;
  /** When the log was read, in ISO 8601. */
  readonly made_at: string;
  /** The version of the program that made the backup. */
  readonly version: string;
  readonly namespace: string;
  /** null: the log lies in an event store, which has a backup of its own. */
  readonly log: (BackedUpFile & { readonly position: number; readonly last_event: string | null }) | null;
  /** null: there was none. */
  readonly signing_key: BackedUpFile | null;
}

export const manifestOf = (contents: Omit<Manifest, "format">): Manifest => ({ format, ...contents });

/**
 * Reads a backup's manifest, and every file that it names. Throws {@link BackupRefused} where one is not as written.
 */
export async function readVerifiedBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const [name, written] of [
    [logFile, manifest.log],
    [signingKeyFile, manifest.signing_key],
  ] as const) {
    if (written === null) continue;
    const found = await describeFile(join(folder, name)).catch((error: Error) => {
      throw new BackupRefused(`${join(folder, name)} cannot be read: ${error.message}. Nothing was restored.`);
    });
    if (found.sha256 === written.sha256 && found.bytes === written.bytes) continue;
    throw new BackupRefused(
      `${join(folder, name)} is not what was backed up (${found.bytes} bytes with the hash ${found.sha256}, instead of ${written.bytes} with ${written.sha256}). Nothing was restored; take another backup.`,
    );
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestFile);
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new BackupRefused(`${folder} holds no complete backup: ${path} cannot be read (${error.message}).`);
  });
  const manifest = parsed(text);
  if (manifest?.format === format) return manifest;
  throw new BackupRefused(`${path} is no manifest that this version of the program knows.`);
}

function parsed(text: string): Manifest | null {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return null;
  }
}

/** Size and hash of a file. */
export async function describeFile(path: string): Promise<BackedUpFile> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}
