import { createCatalogueWriter } from "../../projections/catalogue/readModel.js";
import type { CatalogueChange, CatalogueStore } from "../../projections/catalogue/ports.js";
import type { ContentErasureChange, ErasureStore } from "../../projections/contentErasure/ports.js";
import { createContentErasureWriter } from "../../projections/contentErasure/readModel.js";
import type { CredentialChange } from "../../projections/credentials/changes.js";
import type { GroupClosureChange, GroupClosureStore, HoldingLimits } from "../../projections/groupClosure/ports.js";
import { createGroupClosureWriter } from "../../projections/groupClosure/groupClosureWriter.js";
import type { ContentEraser, ProjectionWriter } from "../../projections/ports.js";
import { openSqliteReadModelStores } from "../../src/adapters/store/sqlite/sqliteStorages.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";

/** Where the projections of access, catalogue and credentials, and the erasure of texts, write. */
export interface ReadModelWriters {
  readonly groupClosure: ProjectionWriter<GroupClosureChange>;
  readonly catalogue: ProjectionWriter<CatalogueChange>;
  readonly credentials: ProjectionWriter<CredentialChange>;
  readonly contentErasure: ProjectionWriter<ContentErasureChange>;
}

/** What an engine has to hold for them. */
export interface ReadModelStores {
  readonly groupClosure: GroupClosureStore;
  readonly catalogue: CatalogueStore;
  readonly credentials: ProjectionWriter<CredentialChange>;
  readonly contentErasure: ErasureStore;
}

export interface ReadModelWritersOptions {
  readonly tokens: PrincipalTokens;
  readonly eraser: ContentEraser;
  /** How much of a catch-up the group closure holds back; its own default serves. */
  readonly limits?: HoldingLimits;
}

/** The writers of everything that lies in `readModels.sqlite`, on one connection. */
export function openSqliteReadModelWriters({
  file,
  ...options
}: ReadModelWritersOptions & { readonly file: string }): ReadModelWriters & { close(): void } {
  const stores = openSqliteReadModelStores({ file });
  return { ...createReadModelWriters(stores, options), close: () => stores.close() };
}

/** The writers over the stores of one engine. */
export const createReadModelWriters = (
  stores: ReadModelStores,
  { tokens, eraser, limits }: ReadModelWritersOptions,
): ReadModelWriters => ({
  groupClosure: createGroupClosureWriter({ store: stores.groupClosure, tokens, limits }),
  catalogue: createCatalogueWriter(stores.catalogue),
  credentials: stores.credentials,
  contentErasure: createContentErasureWriter(stores.contentErasure, eraser),
});
