import type { DefaultAccess, ObjectDefinition } from "../../src/events/datasource.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import type { SubDeclaration } from "./subTree.js";

/** A datasource as the client declares it. */
export interface RegisterDatasource {
  readonly name: DatasourceName;
  readonly displayName: string | null;
  readonly icon: string | null;
  readonly subs: readonly SubDeclaration[];
  readonly objectDefinitions: readonly ObjectDefinition[];
  /** Left out: `anonymous` (spec: Visibility rules, 2). */
  readonly defaultAccess?: DefaultAccess;
}

/** Absent fields stay as they are. */
export interface UpdateDatasource {
  readonly name: DatasourceName;
  /** Refused where they are other subs than there are. */
  readonly unchangedSubs?: readonly SubDeclaration[];
  readonly displayName?: string;
  readonly icon?: string | null;
  readonly objectDefinitions?: readonly ObjectDefinition[];
  readonly defaultAccess?: DefaultAccess;
}
