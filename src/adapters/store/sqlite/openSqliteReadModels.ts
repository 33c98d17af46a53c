import type { ParkedEvents } from "../../../../projections/ports.js";
import type {
  AccessReader,
  CatalogueReader,
  Checkpointed,
  Counted,
  CredentialReader,
} from "../../../../queries/ports.js";
import { parkedEventsIn } from "../../sqlite/parkedEvents.js";
import { SqliteAccessReader } from "./accessReader.js";
import { SqliteCatalogueReader } from "./catalogueReader.js";
import { SqliteCredentialReader } from "./credentialReader.js";
import { countsIn } from "./countsIn.js";
import { ReadModelConnection } from "./readModelConnection.js";

export interface SqliteReadModels {
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
  readonly contentErasure: Checkpointed;
  readonly parked: ParkedEvents;
  readonly counted: Counted;
}

/** Opens `readModels.sqlite` for point reads in this thread, and creates it where no projection has yet. */
export function openSqliteReadModels({ file }: { readonly file: string }): SqliteReadModels & { close(): void } {
  const connection = new ReadModelConnection(file);
  return {
    access: new SqliteAccessReader(connection),
    catalogue: new SqliteCatalogueReader(connection),
    credentials: new SqliteCredentialReader(connection),
    contentErasure: connection.progressOf("contentErasure"),
    parked: parkedEventsIn(connection.database),
    counted: countsIn(connection.database),
    close: () => connection.close(),
  };
}
