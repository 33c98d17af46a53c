/** As the API description has it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** A body that is as its schema says, but for one facet of it. */
export interface WrongBody {
  readonly what: string;
  /** Where it is wrong. */
  readonly at: readonly (string | number)[];
  readonly body: unknown;
}

/** A wrong value, or one in which something is missing or wrong, and where. */
interface Wrong {
  readonly what: string;
  readonly at: readonly (string | number)[];
  readonly value: unknown;
}

type Components = Readonly<Record<string, Schema>>;

/** One wrong body for each facet of a schema, all else as in the example; what holds itself is walked once. */
export function* wrongBodies(schema: Schema, example: unknown, components: Components): Generator<WrongBody> {
  for (const { what, at, value } of wrongValues(schema, example, components)) yield { what, at, body: value };
}

const resolved = (schema: Schema, components: Components): Schema =>
  schema.$ref === undefined ? schema : (components[schema.$ref.split("/").at(-1) ?? ""] ?? {});

/** What a value may be, without names and null. */
function variantsOf(schema: Schema, components: Components): readonly Schema[] {
  const whole = resolved(schema, components);
  if (whole.oneOf === undefined || whole.properties !== undefined) return [whole];
  return whole.oneOf.flatMap((one) => variantsOf(one, components));
}

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

const kindsOf = (variant: Schema): string => {
  if (variant.const !== undefined) return kindOf(variant.const);
  return variant.type === "integer" ? "number" : (variant.type ?? "any");
};

const strangers: readonly unknown[] = ["text", 7, true, ["text"], { strange: 1 }, null];

function* wrongValues(schema: Schema, example: unknown, known: Components): Generator<Wrong> {
  const variants = variantsOf(schema, known);
  const name = schema.$ref?.split("/").at(-1) ?? "";
  const components = { ...known, [name]: {} };
  const kinds = new Set(variants.map(kindsOf));
  if (kinds.has("any")) return;
  yield* wrongKinds(kinds);
  const choices = variants.filter((variant) => variant.const !== undefined || variant.enum !== undefined);
  if (choices.length > 0 && !variants.some((one) => one.type === "string" && one.enum === undefined))
    yield { what: "choice", at: [], value: "no such choice" };
  const isEither = variants.filter(({ properties }) => properties !== undefined).length > 1;
  for (const variant of variants)
    for (const { at, ...wrong } of wrongInVariant(variant, example, components))
      // What is none of several kinds of objects is wrong as a whole.
      yield { ...wrong, at: isEither && tellsKind(variant, at[0]) ? [] : at };
}

const tellsKind = ({ properties = {} }: Schema, name: string | number = ""): boolean =>
  properties[name]?.const !== undefined;

/** A value of a kind that is not allowed, and null where it is not. */
function* wrongKinds(kinds: ReadonlySet<string>): Generator<Wrong> {
  yield { what: "type", at: [], value: strangers.find((value) => !kinds.has(kindOf(value))) };
  if (!kinds.has("null")) yield { what: "null", at: [], value: null };
}

function* wrongInVariant(variant: Schema, example: unknown, components: Components): Generator<Wrong> {
  if (variant.type === "string") yield* wrongTexts(variant);
  if (variant.type === "integer" || variant.type === "number") yield* wrongNumbers(variant);
  if (variant.type === "array") yield* wrongLists(variant, example, components);
  if (variant.properties !== undefined) yield* wrongObjects(variant, example, components);
}

function* wrongTexts({ minLength, maxLength, pattern }: Schema): Generator<Wrong> {
  if (minLength !== undefined) yield { what: "minLength", at: [], value: "a".repeat(minLength - 1) };
  if (maxLength !== undefined) yield { what: "maxLength", at: [], value: "a".repeat(maxLength + 1) };
  if (pattern !== undefined) yield { what: "pattern", at: [], value: " \u0001" };
}

function* wrongNumbers({ type, minimum, maximum }: Schema): Generator<Wrong> {
  if (type === "integer") yield { what: "integer", at: [], value: 1.5 };
  if (minimum !== undefined) yield { what: "minimum", at: [], value: minimum - 1 };
  if (maximum !== undefined) yield { what: "maximum", at: [], value: maximum + 1 };
}

function* wrongLists(schema: Schema, example: unknown, components: Components): Generator<Wrong> {
  const { items = {}, minItems, maxItems } = schema;
  const [first] = Array.isArray(example) ? (example as readonly unknown[]) : [];
  const item = first ?? rightValue(items, components);
  if (minItems !== undefined && minItems > 0) yield { what: "minItems", at: [], value: Array(minItems - 1).fill(item) };
  if (maxItems !== undefined) yield { what: "maxItems", at: [], value: Array(maxItems + 1).fill(item) };
  for (const { what, at, value } of wrongValues(items, item, components))
    yield { what, at: [0, ...at], value: [value] };
}

function* wrongObjects(schema: Schema, example: unknown, components: Components): Generator<Wrong> {
  const whole = isOf(schema, example) ? example : (rightValue(schema, components) as Readonly<Record<string, unknown>>);
  for (const name of schema.required ?? []) {
    const { [name]: _left, ...rest } = whole;
    yield { what: "required", at: [name], value: rest };
  }
  if (schema.additionalProperties === false) yield { what: "key", at: ["strange"], value: { ...whole, strange: 1 } };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const others = withoutAlternatives(schema, name, whole);
    for (const { what, at, value } of wrongValues(property, whole[name], components))
      yield { what, at: [name, ...at], value: { ...others, [name]: value } };
  }
}

/** Whether an example is one of these objects, of those that are told apart by a constant. */
function isOf({ properties = {} }: Schema, example: unknown): example is Readonly<Record<string, unknown>> {
  if (kindOf(example) !== "object") return false;
  const values = example as Readonly<Record<string, unknown>>;
  return Object.entries(properties).every(([name, { const: due }]) => due === undefined || values[name] === due);
}

/** Where one of two fields is due, the other one goes. */
function withoutAlternatives({ oneOf = [] }: Schema, name: string, whole: Readonly<Record<string, unknown>>): object {
  const fields = new Set(oneOf.flatMap(({ required = [] }) => required));
  if (!fields.has(name)) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([field]) => !fields.has(field)));
}

/** The least that is right. */
function rightValue(schema: Schema, components: Components): unknown {
  const variant = variantsOf(schema, components).find(({ type }) => type !== "null") ?? {};
  if (variant.const !== undefined) return variant.const;
  if (variant.enum !== undefined) return variant.enum[0];
  if (variant.type === "array") return [];
  if (variant.type === "string") return "a".repeat(Math.max(variant.minLength ?? 1, 1));
  if (variant.type === "integer" || variant.type === "number") return variant.minimum ?? 1;
  if (variant.type === "boolean") return true;
  const required = variant.required ?? [];
  return Object.fromEntries(required.map((name) => [name, rightValue(variant.properties?.[name] ?? {}, components)]));
}
