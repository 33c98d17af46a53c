import type { AccessReader, CatalogueReader, CredentialReader } from "../../../../queries/ports.js";
import { SqliteAccessReader } from "./accessReader.js";
import { SqliteCatalogueReader } from "./catalogueReader.js";
import { SqliteCredentialReader } from "./credentialReader.js";
import { ReadModelConnection } from "./readModelConnection.js";

export interface ReadModels {
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
}

/** Opens `readModels.sqlite` for point reads in this thread; creates it where no projection has yet. */
export function openSqliteReadModels({ file }: { readonly file: string }): ReadModels & { close(): void } {
  const connection = new ReadModelConnection(file);
  return {
    access: new SqliteAccessReader(connection),
    catalogue: new SqliteCatalogueReader(connection),
    credentials: new SqliteCredentialReader(connection),
    close: () => connection.close(),
  };
}
