import type { DefaultAccess, ObjectDefinition, Datasource, PropertyType } from "../../src/events/datasource.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import type { SubDeclaration } from "./subTree.js";
import type { Rejection } from "../rejection.js";

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

type Changeable = Partial<Pick<Datasource, "displayName" | "icon" | "objectDefinitions" | "defaultAccess">>;

/** The fields that are there and, where a present state is given, differ from it. */
export function changesOf(
  { displayName, icon, objectDefinitions, defaultAccess }: Changeable,
  present: Changeable = {},
): Changeable {
  return {
    ...(displayName !== undefined && displayName !== present.displayName && { displayName }),
    ...(icon !== undefined && icon !== present.icon && { icon }),
    ...(defaultAccess !== undefined && defaultAccess !== present.defaultAccess && { defaultAccess }),
    ...(objectDefinitions !== undefined &&
      asText(objectDefinitions) !== asText(present.objectDefinitions) && { objectDefinitions }),
  };
}

/** Equal for equal definitions, in whatever order the fields of each were written. */
const asText = (definitions: Datasource["objectDefinitions"] | undefined): string =>
  JSON.stringify(
    definitions?.map(({ name, propertyDefinitions }) => [
      name,
      propertyDefinitions.map((property) => [
        property.name,
        property.displayLabel,
        property.isSearchable,
        property.propertyType,
      ]),
    ]),
  );

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
