import type { Datasource } from "../../src/events/datasource.js";

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
