import { match } from "ts-pattern";
import type { Datasource, PropertyType } from "../../src/events/datasource.js";
import { propertyTypesOf } from "../datasource/declaration.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { DocumentSchemaError, Rejection } from "../rejection.js";
import type { CustomProperty } from "../../src/events/document.js";
import { isEpochSeconds, parseInstant } from "../../src/shared/instant.js";
import type { IndexDocument } from "./indexing.js";

/** What a datasource allows its documents to carry, laid out for look-ups. */
interface DocumentSchema {
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

/** Refuses a document with one of the spec's codes and a sentence that says what to change. */
const schemaViolation = (
  code: DocumentSchemaError,
  message: string,
): { readonly ok: false; readonly error: Rejection } => failed({ type: "DocumentSchemaViolation", code, message });

/** For messages: the values in quotes, or what to say where there are none. */
const listed = (values: Iterable<string>, none: string): string => {
  const quoted = Array.from(values, (value) => `"${value}"`);
  return quoted.length === 0 ? none : quoted.join(", ");
};

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

/** Where a document hangs in the datasource's tree; a child never stands without its parent. */
interface SubBinding {
  readonly sub: string | null;
  readonly childSub: string | null;
}

/**
 * Checks the keys against the datasource's subs and infers the parent where it was left out (spec: Documents, rule 6).
 */
export function bindToSub(
  { sub, childSub }: Pick<IndexDocument, "sub" | "childSub">,
  schema: DocumentSchema,
): Result<SubBinding, Rejection> {
  if (sub !== null) return bindToTop(sub, childSub, schema);
  return childSub === null ? ok({ sub, childSub }) : inferParent(childSub, schema);
}

function bindToTop(
  sub: string,
  childSub: string | null,
  { childrenOf }: DocumentSchema,
): Result<SubBinding, Rejection> {
  const children = childrenOf.get(sub);
  if (children === undefined) {
    const valid = listed(childrenOf.keys(), "the datasource declares no subs");
    return schemaViolation(
      "INVALID_DATA_SOURCE_SUB",
      `data_source_sub "${sub}" is not a top-level sub of the datasource. Valid keys: ${valid}.`,
    );
  }
  if (childSub === null || children.has(childSub)) return ok({ sub, childSub });
  const valid = listed(children, "it has no children");
  return schemaViolation(
    "INVALID_DATA_SOURCE_SUB_SUB",
    `data_source_sub_sub "${childSub}" is not a child of sub "${sub}". Valid keys: ${valid}.`,
  );
}

function inferParent(childSub: string, { childrenOf, parentsOf }: DocumentSchema): Result<SubBinding, Rejection> {
  if (childrenOf.size === 0) {
    return schemaViolation(
      "INVALID_DATA_SOURCE_SUB",
      `data_source_sub_sub "${childSub}" cannot be used: the datasource declares no subs.`,
    );
  }
  const [only, ...others] = parentsOf.get(childSub) ?? [];
  if (only === undefined) {
    const valid = listed(parentsOf.keys(), "no sub has children");
    return schemaViolation(
      "INVALID_DATA_SOURCE_SUB_SUB",
      `data_source_sub_sub "${childSub}" is not a child of any sub of the datasource. Valid keys: ${valid}.`,
    );
  }
  if (others.length > 0) {
    const parents = listed([only, ...others], "");
    return schemaViolation(
      "AMBIGUOUS_DATA_SOURCE_SUB_SUB",
      `data_source_sub_sub "${childSub}" exists under several subs: say which by data_source_sub. Candidates: ${parents}.`,
    );
  }
  return ok({ sub: only, childSub });
}
