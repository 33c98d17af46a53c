import type { ObjectDefinition } from "../../src/events/datasource.js";
import type { CustomProperty } from "../../src/events/document.js";

/** Names of the properties whose values belong to full-text search (spec: Property definition); distinct, sorted. */
export function searchablePropertiesOf(definitions: readonly ObjectDefinition[]): readonly string[] {
  const searchable = definitions
    .flatMap((definition) => definition.propertyDefinitions)
    .filter((property) => property.isSearchable);
  return [...new Set(searchable.map((property) => property.name))].sort();
}

/** The values of the searchable properties as texts, in the document's order. */
export const searchableValues = (
  properties: readonly CustomProperty[],
  searchable: ReadonlySet<string>,
): readonly string[] =>
  properties.filter((property) => searchable.has(property.name)).map((property) => String(property.value));
