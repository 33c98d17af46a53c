import { createCatalogueWriter } from "../../projections/catalogue/catalogueWriter.js";
import type { CatalogueChange } from "../../projections/catalogue/changes.js";
import type { CatalogueStore } from "../../projections/catalogue/ports.js";
import type { ContentErasureChange } from "../../projections/contentErasure/changes.js";
import { createContentErasureWriter } from "../../projections/contentErasure/contentErasureWriter.js";
import type { ErasureStore } from "../../projections/contentErasure/ports.js";
import type { CredentialChange } from "../../projections/credentials/changes.js";
import type { GroupClosureChange } from "../../projections/groupClosure/changes.js";
import { createGroupClosureWriter } from "../../projections/groupClosure/groupClosureWriter.js";
import type { GroupClosureStore, HoldingLimits } from "../../projections/groupClosure/ports.js";
import type { ContentEraser, ProjectionWriter } from "../../projections/ports.js";
import { openSqliteReadModelStores } from "../../src/adapters/store/sqlite/openSqliteReadModelStores.js";
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
