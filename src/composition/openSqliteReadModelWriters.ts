import { createCatalogueWriter } from "../../projections/catalogue/catalogueWriter.js";
import { createContentErasureWriter } from "../../projections/contentErasure/contentErasureWriter.js";
import { createGroupClosureWriter, type HoldingLimits } from "../../projections/groupClosure/groupClosureWriter.js";
import type { ContentEraser } from "../../projections/ports.js";
import { openSqliteReadModelStores } from "../adapters/readStore/sqlite/openSqliteReadModelStores.js";
import type { PrincipalTokens } from "../shared/principalTokens.js";
import type { ReadModelWriters } from "./readModelWriters.js";

export interface ReadModelWritersOptions {
  readonly file: string;
  readonly tokens: PrincipalTokens;
  readonly eraser: ContentEraser;
  /** How much of a catch-up the group closure holds back; its own default serves. */
  readonly limits?: HoldingLimits;
}

/** The writers of everything that lives in `readModels.sqlite`, on one connection: for one thread. */
export function openSqliteReadModelWriters({ file, tokens, eraser, limits }: ReadModelWritersOptions): ReadModelWriters & { close(): void } {
  const stores = openSqliteReadModelStores({ file });
  return {
    groupClosure: createGroupClosureWriter({ store: stores.groupClosure, tokens, limits }),
    catalogue: createCatalogueWriter(stores.catalogue),
    credentials: stores.credentials,
    contentErasure: createContentErasureWriter(stores.contentErasure, eraser),
    close: () => stores.close(),
  };
}
