/** A field of a collection's schema. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly optional?: boolean;
  readonly facet?: boolean;
  readonly index?: boolean;
  /** Of a list of numbers that is a vector. */
  readonly num_dim?: number;
  readonly [option: string]: unknown;
}

/** The schema that a collection is created with. */
export interface Schema {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly enable_nested_fields?: boolean;
}

export type Document = Readonly<Record<string, unknown>> & { readonly id: string };

/** A document in the index: the tokens of each of its string fields, in their order. */
export interface Stored {
  readonly sequence: number;
  readonly document: Document;
  readonly tokens: ReadonlyMap<string, readonly string[]>;
}

/** A request that the engine refuses. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const types = new Set([
  ...["string", "string[]", "int32", "int32[]", "int64", "float", "float[]", "bool", "auto", "object", "object[]"],
]);

/** How a plain field takes text apart: without case and symbols, and at blanks alone. */
export const tokensOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((part) => part.replace(/[!-/:-@[-`{-~]/g, ""))
    .filter((token) => token !== "");

/** One collection: documents by their id, and which of them hold a token. */
export class StoredCollection {
  readonly createdAt = Math.floor(Date.now() / 1_000);
  readonly stored = new Map<string, Stored>();
  private readonly holding = new Map<string, Set<Stored>>();
  private nextSequence = 0;

  constructor(readonly schema: Schema) {
    const wrong = schema.fields.find(({ type }) => !types.has(type));
    if (wrong !== undefined)
      throw new Refusal(
        400,
        `Field \`${wrong.name}\` has an invalid data type \`${wrong.type}\`, see docs for supported data types.`,
      );
    if (schema.fields.some(({ type, num_dim: dimensions }) => dimensions !== undefined && type !== "float[]"))
      throw new Refusal(400, "Property `num_dim` is only allowed on a float array field.");
  }

  field(name: string): Field | undefined {
    return this.schema.fields.find((field) => field.name === name);
  }

  /** The documents whose field holds this token. */
  withToken(field: string, token: string): ReadonlySet<Stored> {
    return this.holding.get(`${field} ${token}`) ?? new Set();
  }

  /** One line of an import, as it is answered. */
  importLine(line: string, action: string): Record<string, unknown> {
    let document: Document;
    try {
      document = JSON.parse(line) as Document;
    } catch {
      return { code: 400, error: "Bad JSON: the line cannot be parsed", success: false };
    }
    try {
      this.write(document, action);
      return { success: true };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { code: error.code, error: error.message, id: document.id, success: false };
    }
  }

  write(given: Document, action: string): Document {
    const before = this.stored.get(given.id);
    if (action === "create" && before !== undefined)
      throw new Refusal(409, `A document with id ${given.id} already exists.`);
    if (action === "update" && before === undefined)
      throw new Refusal(404, `Could not find a document with id: ${given.id}`);
    // A row that replaces another loses whatever is null in it, however deep.
    const document =
      before === undefined
        ? given
        : (withoutNulls(action === "update" ? { ...before.document, ...given } : given) as Document);
    this.validate(document);
    if (before !== undefined) this.unindex(before);
    this.index({ sequence: before?.sequence ?? this.nextSequence++, document, tokens: this.tokenise(document) });
    return document;
  }

  remove(id: string): Document {
    const stored = this.stored.get(id);
    if (stored === undefined) throw new Refusal(404, `Could not find a document with id: ${id}`);
    this.unindex(stored);
    this.stored.delete(id);
    return stored.document;
  }

  private validate(document: Document): void {
    for (const { name, type, optional = false, index = true, num_dim: dimensions } of this.schema.fields) {
      const value = document[name];
      if (value === undefined || value === null) {
        if (!optional && !name.includes("*"))
          throw new Refusal(
            400,
            `Field \`${name}\` has been declared in the schema, but is not found in the document.`,
          );
      } else if (index && !fits(type, value)) {
        throw new Refusal(400, `Field \`${name}\` must be ${named(type)}.`);
      } else if (dimensions !== undefined && (value as readonly number[]).length !== dimensions) {
        throw new Refusal(400, `Field \`${name}\` must have ${dimensions} dimensions.`);
      }
    }
  }

  private tokenise(document: Document): Stored["tokens"] {
    const tokens = new Map<string, readonly string[]>();
    for (const { name, type } of this.schema.fields) {
      const value = document[name];
      if (type === "string" && typeof value === "string") tokens.set(name, tokensOf(value));
      if (type === "string[]" && Array.isArray(value))
        tokens.set(
          name,
          value.map((part) => tokensOf(String(part)).join(" ")),
        );
    }
    return tokens;
  }

  private index(stored: Stored): void {
    this.stored.set(stored.document.id, stored);
    for (const key of keysOf(stored)) {
      const holding = this.holding.get(key);
      if (holding === undefined) this.holding.set(key, new Set([stored]));
      else holding.add(stored);
    }
  }

  private unindex(stored: Stored): void {
    for (const key of keysOf(stored)) {
      const holding = this.holding.get(key);
      holding?.delete(stored);
      if (holding?.size === 0) this.holding.delete(key);
    }
  }

  /** Every distinct token of a field. */
  tokensIn(field: string): readonly string[] {
    return [...this.holding.keys()]
      .filter((key) => key.startsWith(`${field} `))
      .map((key) => key.slice(field.length + 1));
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, withoutNulls(inner)]),
  );
}

const keysOf = ({ tokens }: Stored): ReadonlySet<string> =>
  new Set([...tokens].flatMap(([field, list]) => list.map((token) => `${field} ${token}`)));

const named = (type: string): string =>
  type.endsWith("[]") ? `an array of ${type.slice(0, -2)}` : `a${/^[aio]/.test(type) ? "n" : ""} ${type}`;

function fits(type: string, value: unknown): boolean {
  if (type === "string") return typeof value === "string";
  if (type === "float[]") return Array.isArray(value) && value.every((part) => typeof part === "number");
  if (type === "string[]") return Array.isArray(value) && value.every((part) => typeof part === "string");
  if (type === "bool") return typeof value === "boolean";
  if (type === "int32[]") return Array.isArray(value) && value.every(Number.isInteger);
  if (type.startsWith("int")) return Number.isInteger(value);
  if (type === "float") return typeof value === "number";
  return true;
}
