import { isLongerThan } from "./characters.js";
import {
  echo,
  issue,
  missing,
  notInEnum,
  outOfBounds,
  patternMismatch,
  tooLong,
  tooMany,
  tooShort,
  valueError,
  type Issue,
  type Location,
} from "./issue.js";
import type { Checked } from "./message.js";
import { failed, ok, type Result } from "../../shared/result.js";

export interface TextRule {
  readonly pattern?: string;
  readonly maxLength: number;
}

/** The rules of path and query parameters, by the kind of thing they name; the same as in bodies. */
export const textRules = {
  slug: { pattern: "^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$", maxLength: 64 },
  documentId: { pattern: "^(\\.{0,2}[A-Za-z0-9_-][A-Za-z0-9._-]*|\\.{3}[A-Za-z0-9._-]*)$", maxLength: 200 },
  email: { maxLength: 254 },
  groupName: { maxLength: 128 },
} satisfies Record<string, TextRule>;

const patterns = new Map<string, RegExp>(
  Object.values(textRules).flatMap((rule: TextRule) =>
    rule.pattern === undefined ? [] : [[rule.pattern, new RegExp(rule.pattern)] as const],
  ),
);

/** What is wrong with a path parameter; null where nothing is. */
export function textIssue(loc: Location, text: string, rule: TextRule): Issue | null {
  if (isLongerThan(text, rule.maxLength)) return { ...tooLong(loc, rule.maxLength), ...echo(text) };
  if (rule.pattern !== undefined && patterns.get(rule.pattern)?.test(text) !== true)
    return { ...patternMismatch(loc, rule.pattern), ...echo(text) };
  return null;
}

/** A parameter as the API description tells of it. */
export interface ParameterDescription {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly required?: boolean;
  readonly schema: object;
}

/** The parameters of a query string: as they are described, and the check that makes a question of them. */
export interface QueryParameters<Query> {
  readonly parameters: readonly ParameterDescription[];
  /** The parameters that may hold a consistency token: `check` finds its position there instead. */
  readonly moments?: readonly string[];
  check(parameters: QueryString): Checked<Query>;
}

/** What stands in a query string under one name. */
export class Given {
  constructor(
    private readonly name: string,
    /** In order. */
    readonly values: readonly string[],
    private readonly issues: Issue[],
  ) {}

  /** Where a parameter is repeated that is no list, the last one counts; undefined where it was left out. */
  get last(): string | undefined {
    return this.values.at(-1);
  }

  /** Tells what is wrong. */
  refuse(issueAt: (loc: Location) => Issue): void {
    this.issues.push(issueAt(["query", this.name]));
  }

  /** Tells what is wrong, and what was sent where it is short; nothing where it is null. */
  refuseValue(issueAt: (loc: Location) => Issue | null): void {
    const found = issueAt(["query", this.name]);
    if (found !== null) this.issues.push({ ...found, ...echo(this.last) });
  }

  leftOut(): Given {
    return new Given(this.name, [], this.issues);
  }
}

/** A parameter of a query string, declared once: its description, and what its value is. */
export interface Parameter<Value> {
  readonly description: string;
  readonly schema: object;
  readonly isRequired?: true;
  /** It may hold a consistency token: then the position of that is read. */
  readonly isMoment?: true;
  /** What it returns where it refuses is never looked at. */
  read(given: Given): Value;
}

/** A text that becomes a value; null where it is left out. */
export const textParameter = <Value>(
  description: string,
  toValue: (text: string, given: Given) => Value,
  schema: object = { type: "string" },
): Parameter<Value | null> => ({
  description,
  schema,
  read: (given) => (given.last === undefined ? null : toValue(given.last, given)),
});

/** A text of so many characters at most; null where it is left out. */
export const boundedText = (description: string, maxLength: number): Parameter<string | null> =>
  textParameter(
    description,
    (text, given) => {
      if (isLongerThan(text, maxLength)) given.refuse((loc) => tooLong(loc, maxLength));
      return text;
    },
    { type: "string", maxLength },
  );

/** The same parameter, which has to be there, and may be empty. */
export const present = <Value>(parameter: Parameter<Value | null>): Parameter<Value> => ({
  ...parameter,
  isRequired: true,
  read(given) {
    if (given.last === undefined) given.refuse(missing);
    return parameter.read(given) as Value;
  },
});

/** The same parameter, which has to be there and to hold something. */
export const required = <Value>(parameter: Parameter<Value | null>): Parameter<Value> =>
  present({
    ...parameter,
    read(given) {
      if (given.last !== "") return parameter.read(given);
      given.refuse((loc) => tooShort(loc, 1));
      return null;
    },
  });

/** The same parameter, which is worth this where it is left out. */
export const orElse = <Value>(parameter: Parameter<Value | null>, otherwise: Value): Parameter<Value> => ({
  ...parameter,
  read: (given) => (given.last === undefined ? otherwise : (parameter.read(given) as Value)),
});

/** The same parameter, which is left out where it is empty. */
export const emptyAsLeftOut = <Value>(parameter: Parameter<Value>): Parameter<Value> => ({
  ...parameter,
  read: (given) => parameter.read(given.last === "" ? given.leftOut() : given),
});

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false],
]);

/** True or false; false where it is left out. */
export const flag = (description: string): Parameter<boolean> => ({
  description,
  schema: { type: "boolean", default: false },
  read(given) {
    const value = booleans.get((given.last ?? "false").toLowerCase());
    if (value === undefined)
      given.refuseValue((loc) =>
        issue(loc, "bool_parsing", "Input should be a valid boolean, unable to interpret input"),
      );
    return value ?? false;
  },
});

/** The bounds of a whole number, and what it is where it is left out. */
interface IntegerRule {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

/** A whole number. */
export const integer = (description: string, rule: IntegerRule): Parameter<number> => ({
  description,
  schema: { type: "integer", ...rule },
  read: (given) => integerIn(given, rule) ?? rule.default,
});

/** A whole number from so many on; null where it is left out. */
export const integerFrom = (description: string, minimum: number): Parameter<number | null> => ({
  description,
  schema: { type: "integer", minimum },
  read: (given) => integerIn(given, { minimum, maximum: Number.MAX_SAFE_INTEGER }),
});

function integerIn(given: Given, bounds: Pick<IntegerRule, "minimum" | "maximum">): number | null {
  if (given.last === undefined) return null;
  const value = /^[+-]?\d{1,15}$/.test(given.last.trim()) ? Number(given.last) : Number.NaN;
  given.refuseValue((loc) =>
    Number.isNaN(value)
      ? issue(loc, "int_parsing", "Input should be a valid integer, unable to parse string as an integer")
      : outOfBounds(loc, value, bounds),
  );
  return value;
}

/** One of a few words; null where it is left out. */
export const choice = <Word extends string>(description: string, words: readonly Word[]): Parameter<Word | null> =>
  textParameter<Word>(
    description,
    (text, given) => {
      const word = words.find((known) => known === text);
      if (word === undefined) given.refuseValue((loc) => notInEnum(loc, words));
      return word as Word;
    },
    { type: "string", enum: words },
  );

/** One of a few words; this one where it is left out. */
export const choiceOr = <Word extends string>(
  description: string,
  words: readonly Word[],
  otherwise: Word,
): Parameter<Word> => {
  const parameter = orElse(choice(description, words), otherwise);
  return { ...parameter, schema: { ...parameter.schema, default: otherwise } };
};

const mostListed = 100;

/** Words between commas; repeated parameters are one list. null where there are none. */
export const wordList = <Word extends string>(
  description: string,
  words: readonly Word[] | null,
): Parameter<readonly Word[] | null> => ({
  description,
  schema: { type: "array", items: { type: "string", ...(words && { enum: words }) }, maxItems: mostListed },
  read(given) {
    const parts = given.values.flatMap((text) => text.split(",")).map((part) => part.trim());
    const distinct = [...new Set(parts.filter((part) => part !== ""))] as Word[];
    if (distinct.length > mostListed) given.refuse((loc) => tooMany(loc, mostListed));
    if (words !== null && distinct.some((word) => !words.includes(word))) given.refuse((loc) => notInEnum(loc, words));
    return distinct.length === 0 ? null : distinct;
  },
});

type ParameterSet = Readonly<Record<string, Parameter<unknown>>>;

/** What parameters are worth, by name. */
export type ValuesOf<Parameters extends ParameterSet> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends Parameter<infer Value> ? Value : never;
};

/** The values of parameters, or everything that is wrong with them. */
export function valuesOf<Parameters extends ParameterSet>(
  parameters: Parameters,
  given: QueryString,
): Checked<ValuesOf<Parameters>> {
  const issues: Issue[] = [];
  const values = Object.entries(parameters).map(
    ([name, parameter]) => [name, parameter.read(new Given(name, given.get(name) ?? [], issues))] as const,
  );
  return issues.length > 0 ? failed(issues) : ok(Object.fromEntries(values) as ValuesOf<Parameters>);
}

/** The parameters of a route, each declared once. `toQuery` makes a question of values that are right by themselves. */
export const queryOf = <Parameters extends ParameterSet, Query>(
  parameters: Parameters,
  toQuery: (values: ValuesOf<Parameters>) => Checked<Query>,
): QueryParameters<Query> => ({
  parameters: Object.entries(parameters).map(describe),
  moments: Object.keys(parameters).filter((name) => parameters[name]?.isMoment === true),
  check(given) {
    const values = valuesOf(parameters, given);
    return values.ok ? toQuery(values.value) : values;
  },
});

/** The same, where other parameters are refused: a person who asks about access must not be mistaken. */
export function strictQueryOf<Parameters extends ParameterSet, Query>(
  parameters: Parameters,
  toQuery: (values: ValuesOf<Parameters>) => Checked<Query>,
): QueryParameters<Query> {
  const query = queryOf(parameters, toQuery);
  const names = Object.keys(parameters);
  const sentence = `Extra inputs are not permitted: the parameters are ${names.join(", ")}`;
  return {
    ...query,
    check(given) {
      const others = [...given.keys()].filter((name) => !names.includes(name));
      const outcome = query.check(given);
      if (others.length === 0) return outcome;
      const issues = others.map((name) => issue(["query", name], "extra_forbidden", sentence));
      return failed([...issues, ...(outcome.ok ? [] : outcome.error)]);
    },
  };
}

/** A question that its parameters make together, and that no single one of them can be blamed for. */
export const wrongQuestion = (error: string): Checked<never> => failed([valueError(["query"], error)]);

const describe = ([name, { description, schema, isRequired }]: readonly [
  string,
  Parameter<unknown>,
]): ParameterDescription => ({ name, in: "query", description, required: isRequired ?? false, schema });

/** Decoded parameters: every name with its values in order. */
export type QueryString = ReadonlyMap<string, readonly string[]>;

const empty: QueryString = new Map();

/** Decodes what follows `?`. Fails where percent-encoding is malformed, not UTF-8, or encodes a NUL character. */
export function parseQueryString(text: string): Result<QueryString, readonly Issue[]> {
  if (text === "") return ok(empty);
  const values = new Map<string, string[]>();
  for (const part of text.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const name = decode(at === -1 ? part : part.slice(0, at));
    const value = decode(at === -1 ? "" : part.slice(at + 1));
    if (name === undefined) return failed([valueError(["query"], notDecodable)]);
    if (value === undefined) return failed([valueError(["query", name], notDecodable)]);
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return ok(values);
}

/** A path segment or parameter, decoded; undefined where it cannot be. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** What is wrong where {@link decodePercent} answers undefined. */
export const notDecodable = "percent-encoding must be well-formed UTF-8 without NUL characters";

const decode = (text: string): string | undefined =>
  decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
