import type { ObjectDefinition } from "../../src/events/datasource.js";

/** Names of the properties whose values belong to full-text search (spec: Property definition); distinct, sorted. */
export function searchablePropertiesOf(definitions: readonly ObjectDefinition[]): readonly string[] {
  const searchable = definitions
    .flatMap((definition) => definition.propertyDefinitions)
    .filter((property) => property.isSearchable);
  return [...new Set(searchable.map((property) => property.name))].sort();
}
