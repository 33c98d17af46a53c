import type { ObjectDefinition } from "../../src/events/datasource.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import type { SubDeclaration } from "./subTree.js";

/** A datasource as the client declares it. */
export interface RegisterDatasource {
  readonly name: DatasourceName;
  readonly displayName: string | null;
  readonly icon: string | null;
  readonly subs: readonly SubDeclaration[];
  readonly objectDefinitions: readonly ObjectDefinition[];
}

/** Absent fields stay as they are. */
export interface UpdateDatasource {
  readonly name: DatasourceName;
  readonly displayName?: string;
  readonly icon?: string | null;
  readonly objectDefinitions?: readonly ObjectDefinition[];
}
