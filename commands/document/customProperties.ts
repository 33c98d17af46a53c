import { match } from "ts-pattern";
import type { PropertyType } from "../../src/events/datasource.js";
import type { CustomProperty } from "../../src/events/document.js";
import { isEpochSeconds, parseInstant } from "../../src/shared/instant.js";
import { ok, type Result } from "../../src/shared/result.js";
import type { Rejection } from "../rejection.js";
import type { DocumentSchema } from "./documentSchema.js";
import type { IndexDocument } from "./indexing.js";
import { listed, schemaViolation } from "./schemaViolation.js";

/** Checks a document's properties against the datasource's definitions (spec: service-layer schema validation). */
export function checkCustomProperties(
  { customProperties, datasource }: Pick<IndexDocument, "customProperties" | "datasource">,
  { propertyTypes }: DocumentSchema,
): Result<readonly CustomProperty[], Rejection> {
  if (customProperties.length === 0) return ok([]);
  if (propertyTypes.size === 0) {
    return schemaViolation(
      "NO_PROPERTY_DEFINITIONS",
      `Datasource "${datasource}" defines no properties: define them before documents send custom_properties.`,
    );
  }
  for (const { name } of customProperties) {
    if (propertyTypes.has(name)) continue;
    return schemaViolation(
      "UNKNOWN_PROPERTY",
      `Datasource "${datasource}" defines no property "${name}". Valid names: ${listed(propertyTypes.keys(), "none")}.`,
    );
  }
  const checked: CustomProperty[] = [];
  for (const { name, value } of customProperties) {
    const type = propertyTypes.get(name);
    if (type === undefined || !isOfType(value, type)) return typeViolation(name, value, type ?? "TEXT");
    checked.push({ name, value });
  }
  return ok(checked);
}

function isOfType(value: unknown, type: PropertyType): value is CustomProperty["value"] {
  return match(type)
    .with("TEXT", () => typeof value === "string")
    .with("INTEGER", () => Number.isFinite(value))
    .with("DATE", () =>
      typeof value === "number" ? isEpochSeconds(value) : typeof value === "string" && parseInstant(value) !== null,
    )
    .with("BOOLEAN", () => typeof value === "boolean")
    .exhaustive();
}

const expectations: Readonly<Record<PropertyType, string>> = {
  TEXT: "a string",
  INTEGER: "a number",
  DATE: "a number (epoch seconds, within ±8.64e12) or an ISO 8601 string of a date that exists",
  BOOLEAN: "true or false",
};

/** The value itself stays out of the message: it may be long, and private. */
const typeViolation = (name: string, value: unknown, type: PropertyType) =>
  schemaViolation(
    "INVALID_PROPERTY_TYPE",
    `Property "${name}" has type ${type} and takes ${expectations[type]}, not ${kindOf(value, type)}.`,
  );

function kindOf(value: unknown, wanted: PropertyType): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string") return "this string";
  if (typeof value === "number" && wanted !== "TEXT" && wanted !== "BOOLEAN") return "this number";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
