import type { Datasource, PropertyType } from "../../src/events/datasource.js";
import { propertyTypesOf } from "../datasource/propertyTypes.js";

/** What a datasource allows its documents to carry, laid out for look-ups. */
export interface DocumentSchema {
  readonly propertyTypes: ReadonlyMap<string, PropertyType>;
  /** The keys of the children of each top-level sub. */
  readonly childrenOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** The top-level subs that have a child of this key. */
  readonly parentsOf: ReadonlyMap<string, readonly string[]>;
}

const schemas = new WeakMap<Datasource, DocumentSchema>();

/** Laid out once per revision of the datasource: its state is never changed in place. */
export function documentSchemaOf(datasource: Datasource): DocumentSchema {
  const known = schemas.get(datasource);
  if (known !== undefined) return known;
  const parentsOf = new Map<string, string[]>();
  for (const { key, subs } of datasource.subs) {
    for (const child of subs) parentsOf.set(child.key, [...(parentsOf.get(child.key) ?? []), key]);
  }
  const schema = {
    propertyTypes: propertyTypesOf(datasource.objectDefinitions),
    childrenOf: new Map(datasource.subs.map(({ key, subs }) => [key, new Set(subs.map((child) => child.key))])),
    parentsOf,
  };
  schemas.set(datasource, schema);
  return schema;
}
