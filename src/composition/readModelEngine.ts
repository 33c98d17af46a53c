import type { ContentEraser, EventSource, Lease, LeaseGrant } from "../../projections/ports.js";
import type { AccessReader, CatalogueReader, CredentialReader } from "../../queries/ports.js";
import { openSqliteReadModels } from "../adapters/readStore/sqlite/openSqliteReadModels.js";
import type { Config } from "../config.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { dataFiles } from "./dataFiles.js";
import { openSqliteReadModelWriters } from "./openSqliteReadModelWriters.js";
import type { ReadModelWriters } from "./readModelWriters.js";

/** What the read models of access, catalogue and credentials need to know of the settings. */
export type ReadModelConfig = Pick<Config, "dataDir" | "namespace">;

export interface ReadModelReaders {
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
  close(): void;
}

export interface ReadModelProjecting {
  /** null: the engine's own checkpoints keep several processes from harming each other. */
  readonly lease: Lease | null;
  /** The writers, for as long as the grant holds (null where there is no lease). */
  writers(grant: LeaseGrant | null, eraser: ContentEraser): ReadModelWriters & { close(): void };
  close(): void;
}

/** Opens the read models for point reads, creating them empty where they are missing. `source` tells how far the log goes. */
export async function openReadModelReaders(config: ReadModelConfig, _source: EventSource): Promise<ReadModelReaders> {
  const { readModels: file } = dataFiles(config.dataDir);
  const { access, catalogue, credentials, close } = openSqliteReadModels({ file });
  return { access, catalogue, credentials, close };
}

/** Opens the read models for the projections of one thread. */
export async function openReadModelProjecting(config: ReadModelConfig): Promise<ReadModelProjecting> {
  const { readModels: file } = dataFiles(config.dataDir);
  const tokens = new PrincipalTokens(config.namespace);
  return { lease: null, writers: (_grant, eraser) => openSqliteReadModelWriters({ file, tokens, eraser }), close: () => undefined };
}
