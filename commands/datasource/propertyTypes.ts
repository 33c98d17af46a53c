import type { ObjectDefinition, PropertyType } from "../../src/events/datasource.js";
import type { Rejection } from "../rejection.js";

/**
 * Every property that the object definitions declare, by name. Documents carry no object type, so the definitions of a
 * datasource count as one.
 */
export function propertyTypesOf(definitions: readonly ObjectDefinition[]): ReadonlyMap<string, PropertyType> {
  return new Map(
    definitions.flatMap(({ propertyDefinitions }) =>
      propertyDefinitions.map(({ name, propertyType }) => [name, propertyType]),
    ),
  );
}

/** The first property that is declared with two types; null where there is none. */
export function findPropertyTypeConflict(definitions: readonly ObjectDefinition[]): Rejection | null {
  const merged = propertyTypesOf(definitions);
  for (const { name, propertyType } of definitions.flatMap(({ propertyDefinitions }) => propertyDefinitions)) {
    const other = merged.get(name);
    if (other !== undefined && other !== propertyType)
      return { type: "PropertyTypeConflict", property: name, types: [propertyType, other] };
  }
  return null;
}
