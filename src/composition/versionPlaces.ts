import { firstVersion, type ReadModelName } from "../events/projection.js";
import { join } from "node:path";
import { dataFiles } from "./dataFiles.js";

/** One version of a read model. */
export interface ReadModelVersion {
  readonly name: ReadModelName;
  readonly version: number;
}

/**
 * The SQLite file that holds it. The first versions are where they always were, those of the small ones in one file
 * together.
 */
export function fileOf(dataDir: string, { name, version }: ReadModelVersion): string {
  if (version !== firstVersion) return join(dataDir, `${name}-${version}.sqlite`);
  const { search, readModels, permissionHistory } = dataFiles(dataDir);
  if (name === "permissionHistory") return permissionHistory;
  return name === "search" ? search : readModels;
}

/**
 * The namespace that holds it in an engine that tenants share. A tenant's own name has no dot, so that no tenant's is
 * taken for another one's version. Principal tokens are minted with the tenant's own name, whatever the version.
 */
export const namespaceOf = (namespace: string, { name, version }: ReadModelVersion): string =>
  version === firstVersion ? namespace : `${namespace}.${name}-${version}`;
