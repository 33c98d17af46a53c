type Schema = Readonly<Record<string, unknown>>;

/** Numbers that are measures; every other one in a message counts something, or is a status or a version. */
const measures: ReadonlySet<string> = new Set([
  "score",
  "language_factor",
  "weight",
  "rarity",
  "share",
  "worth",
  "max_deleted_share",
  "progress",
  "rate",
  "seconds",
  "seconds_left",
  "sample",
  "temperature",
  "value",
]);
/** What types are called that have no name of their own: any object. */
const unnamedObjects: ReadonlySet<string> = new Set(["object", "Recordstringunknown"]);
/** Of which two fields a message takes one, as a text. */
const alternatives: Readonly<Record<string, readonly [string, string]>> = {
  BodyMessage: ["text_content", "binary_base64"],
  MembershipMessage: ["member_email", "member_group_name"],
};

/** What types cannot say of messages: their schemas get it laid over. */
const toldBesides: Readonly<Record<string, { readonly properties: Schema; readonly required?: readonly string[] }>> = {
  // Where there is none the answer is 400, and 422 where a body is of another shape (spec: users).
  UserMessage: { properties: { email: { type: "string", maxLength: 254 } }, required: ["email"] },
  // A type cannot hold the default of a boolean.
  WebSearchPayload: { properties: { deep_search: { default: false } } },
};

/**
 * Says in schemas what the types that they are made of cannot: whole numbers, exactly one of two fields, an object of
 * any kind, instants, fields that are required.
 */
export function refineSchemas(components: Readonly<Record<string, object>>): Readonly<Record<string, object>> {
  const named = Object.entries(components).filter(([name]) => !unnamedObjects.has(name));
  return Object.fromEntries(
    named.map(([name, schema]) => [name, toldWhole(name, withAlternatives(name, refined(schema, name) as Schema))]),
  );
}

/** `place` is the name of the property or component that the value belongs to. */
function refined(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => refined(inner, place));
  if (typeof value !== "object" || value === null) return value;
  const schema = value as Schema;
  if (unnamedObjects.has(nameOf(schema["$ref"]))) {
    const { description } = schema;
    return { type: "object", ...(description === undefined ? {} : { description }) };
  }
  const entries = Object.entries(schema).flatMap(([key, inner]) => refinedEntry(key, inner, place));
  return Object.fromEntries(entries);
}

function refinedEntry(key: string, inner: unknown, place: string): readonly (readonly [string, unknown])[] {
  if (key === "properties") return [[key, refinedProperties(inner as Schema)]];
  if (key === "example" || key === "default" || key === "enum" || key === "const") return [[key, inner]];
  if (key === "type" && inner === "number" && !measures.has(place)) return [[key, "integer"]];
  if (key === "description" && typeof inner === "string") return [[key, readable(inner)]];
  // `readonly` in TypeScript says nothing about who sends a property.
  return key === "readOnly" ? [] : [[key, refined(inner, place)]];
}

const refinedProperties = (properties: Schema): Schema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, asInstant(name, refined(schema, name) as Schema)]),
  );

/** Whatever is called so tells a time of the service's own, if it is a text. */
function asInstant(name: string, schema: Schema): Schema {
  if (!name.endsWith("_at")) return schema;
  if (schema["type"] === "string") return { ...schema, format: "date-time" };
  const { oneOf } = schema as { readonly oneOf?: readonly Schema[] };
  return oneOf === undefined ? schema : { ...schema, oneOf: oneOf.map((one) => asInstant(name, one)) };
}

function toldWhole(name: string, schema: Schema): Schema {
  const told = toldBesides[name];
  if (told === undefined) return schema;
  const known = schema["properties"] as Readonly<Record<string, Schema>>;
  const properties = Object.entries(told.properties).map(([field, more]) => {
    const { oneOf: _either, ...rest } = known[field] ?? {};
    return [field, { ...rest, ...(more as Schema) }];
  });
  return {
    ...schema,
    properties: { ...known, ...(Object.fromEntries(properties) as Schema) },
    required: [...((schema["required"] ?? []) as readonly string[]), ...(told.required ?? [])],
  };
}

/**
 * Descriptions come from comments, which the width of the source breaks into lines; a blank line ends a paragraph.
 */
const readable = (comment: string): string =>
  comment.replace(/(?<!\n)\n(?!\n)/g, " ").replace(/\{@link (\w+)\}/g, "`$1`");

/** null is as good as left out, so what makes the difference is which of them is a text. */
function withAlternatives(name: string, schema: Schema): Schema {
  const fields = alternatives[name];
  if (fields === undefined) return schema;
  return {
    ...schema,
    oneOf: fields.map((field) => ({ required: [field], properties: { [field]: { type: "string" } } })),
  };
}

const nameOf = (reference: unknown): string =>
  typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : "";
