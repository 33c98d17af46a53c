import type { DatasourceId, DatasourceName } from "../shared/ids.js";

/** What JSON values each type accepts: spec, "Expected value per `property_type`". */
export type PropertyType = "TEXT" | "INTEGER" | "DATE" | "BOOLEAN";

interface PropertyDefinition {
  readonly name: string;
  readonly displayLabel: string;
  readonly isSearchable: boolean;
  readonly propertyType: PropertyType;
}

export interface ObjectDefinition {
  readonly name: string;
  readonly propertyDefinitions: readonly PropertyDefinition[];
}

/** A top-level sub with its children; children have no `subs` of their own (spec: Sub definition). */
export interface Sub {
  readonly name: string;
  readonly key: string;
  readonly subs: readonly ChildSub[];
}

export interface ChildSub {
  readonly name: string;
  readonly key: string;
}

/** The people who see documents that come without permissions: everybody registered, or nobody. */
export type DefaultAccess = "anonymous" | "nobody";

/**
 * A live datasource as its events leave it. The command's answer, the catalogue's row and the client's view are all
 * this.
 */
export interface Datasource {
  readonly datasourceId: DatasourceId;
  readonly name: DatasourceName;
  readonly displayName: string;
  readonly icon: string | null;
  readonly subs: readonly Sub[];
  readonly objectDefinitions: readonly ObjectDefinition[];
  /** Counts for what is pushed from then on: a document's event says what was decided (ADR 24). */
  readonly defaultAccess: DefaultAccess;
}

interface DatasourceRegistered {
  readonly type: "DatasourceRegistered";
  readonly data: Datasource;
}

/** Only the fields that changed are present, each with its whole new value. */
export interface DatasourceUpdated {
  readonly type: "DatasourceUpdated";
  readonly data: {
    readonly datasourceId: DatasourceId;
    readonly displayName?: string;
    readonly icon?: string | null;
    readonly objectDefinitions?: readonly ObjectDefinition[];
    readonly defaultAccess?: DefaultAccess;
  };
}

/** Closes the incarnation. Texts are erased; the permission history stays. */
interface DatasourceDeleted {
  readonly type: "DatasourceDeleted";
  readonly data: { readonly datasourceId: DatasourceId; readonly name: DatasourceName };
}

export interface SubAdded {
  readonly type: "SubAdded";
  readonly data: {
    readonly datasourceId: DatasourceId;
    readonly name: string;
    readonly key: string;
    /** null for a top-level sub. */
    readonly parentKey: string | null;
    /** The subs that were declared nested in it. */
    readonly subs: readonly ChildSub[];
  };
}

/** Where an addition puts which subs: the sub itself, then those nested in it. */
export const addedSubs = ({
  name,
  key,
  parentKey,
  subs,
}: SubAdded["data"]): readonly (ChildSub & { readonly parentKey: string | null })[] => [
  { name, key, parentKey },
  ...subs.map((child) => ({ name: child.name, key: child.key, parentKey: key })),
];

/** Removes the sub and, for a top-level one, its children. Documents stay. */
export interface SubRemoved {
  readonly type: "SubRemoved";
  readonly data: { readonly datasourceId: DatasourceId; readonly key: string; readonly parentKey: string | null };
}

export type DatasourceEvent = DatasourceRegistered | DatasourceUpdated | DatasourceDeleted | SubAdded | SubRemoved;

export const datasourceEventTypes: Readonly<Record<DatasourceEvent["type"], true>> = {
  DatasourceRegistered: true,
  DatasourceUpdated: true,
  DatasourceDeleted: true,
  SubAdded: true,
  SubRemoved: true,
};
