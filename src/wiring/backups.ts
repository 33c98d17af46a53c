import { join } from "node:path";
import { keepFilesPrivate } from "../adapters/files/privateFolder.js";
import { restoreBackup, type Restored } from "../adapters/backup/restoreBackup.js";
import { writeBackup, type BackupRequest } from "../adapters/backup/writeBackup.js";
import type { Manifest } from "../adapters/backup/manifest.js";
import type { Config } from "../config.js";
import { version } from "../version.js";

type BackupConfig = Pick<
  Config,
  "dataDir" | "namespace" | "eventStoreUrl" | "auditSigningKeyFile" | "redisUrl" | "typesenseUrl" | "typesenseApiKey"
>;

/** Backs up what cannot be rebuilt: the embedded log, while services use it, and the key that signs exports. */
export function backUp(
  config: BackupConfig,
  options: Pick<BackupRequest, "out" | "signal" | "onProgress">,
): Promise<Manifest> {
  keepFilesPrivate();
  const { dataDir, namespace, eventStoreUrl } = config;
  const log = eventStoreUrl === null ? join(dataDir, "log.sqlite") : null;
  return writeBackup({ ...options, version, namespace, log, signingKey: signingKeyOf(config) });
}

/** Puts a backup back, and takes every read model away, in other engines too. Nobody may use them meanwhile. */
export async function restore(config: BackupConfig, from: string): Promise<Restored> {
  keepFilesPrivate();
  const { dataDir, eventStoreUrl } = config;
  const holdsLog = eventStoreUrl === null;
  const emptying = () => emptyEngines(config);
  return restoreBackup({ from, dataDir, holdsLog, signingKey: signingKeyOf(config), emptyEngines: emptying });
}

const signingKeyOf = ({ dataDir, auditSigningKeyFile }: BackupConfig): string =>
  auditSigningKeyFile ?? join(dataDir, "auditSigningKey.pem");

async function emptyEngines({ namespace, redisUrl, typesenseUrl, typesenseApiKey }: BackupConfig): Promise<string[]> {
  const emptied: string[] = [];
  if (redisUrl !== null) {
    const { dropRedisTenant } = await import("../adapters/store/redis/redisStorages.js");
    await dropRedisTenant({ url: redisUrl, namespace });
    emptied.push("Redis");
  }
  if (typesenseUrl !== null && typesenseApiKey !== null) {
    const { dropSearchCollections } = await import("../adapters/search/typesense/collections.js");
    await dropSearchCollections({ url: typesenseUrl, apiKey: typesenseApiKey }, namespace);
    emptied.push("Typesense");
  }
  return emptied;
}
