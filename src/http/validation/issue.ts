/** One entry of the standard 422 envelope (spec: Validation error body). Words and messages are pydantic's. */
export interface Issue {
  /** `body`, `query`, `path` or `header` first, then field names and indexes. */
  loc: (string | number)[];
  msg: string;
  type: string;
  /** What was sent, where it is short; never texts or binaries. */
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** How much of what is wrong with a request is told. */
export const mostIssues = 100;

export type Location = readonly (string | number)[];

/** What is wrong with the items of a list, one after the other, until there is enough to tell. */
export function issuesOfEach<Item>(
  items: readonly Item[],
  issuesOf: (item: Item, index: number) => readonly Issue[],
): readonly Issue[] {
  const issues: Issue[] = [];
  for (let index = 0; index < items.length && issues.length < mostIssues; index++)
    issues.push(...issuesOf(items[index] as Item, index));
  return issues.length > mostIssues ? issues.slice(0, mostIssues) : issues;
}

const longestEcho = 100;

/** The part of an issue that repeats what was sent: only short plain values are. */
export function echo(value: unknown): Pick<Issue, "input"> {
  if (typeof value === "string") return value.length <= longestEcho ? { input: value } : {};
  return value === null || typeof value === "number" || typeof value === "boolean" ? { input: value } : {};
}

/** An issue as it leaves the service. */
export function issue(loc: Location, type: string, msg: string, ctx?: Record<string, unknown>): Issue {
  return ctx === undefined ? { loc: [...loc], msg, type } : { loc: [...loc], msg, type, ctx };
}

const characters = (count: number): string => `${count} character${count === 1 ? "" : "s"}`;

/** A field that is not there. */
export const missing = (loc: Location): Issue => issue(loc, "missing", "Field required");

/** What the other types cannot say: `error` is a clause without a full stop. */
export const valueError = (loc: Location, error: string): Issue =>
  issue(loc, "value_error", `Value error, ${error}`, { error });

/** A text below its least length. */
export const tooShort = (loc: Location, minimum: number): Issue =>
  issue(loc, "string_too_short", `String should have at least ${characters(minimum)}`, { min_length: minimum });

/** A text above its greatest length, which counts Unicode code points. */
export const tooLong = (loc: Location, maximum: number): Issue =>
  issue(loc, "string_too_long", `String should have at most ${characters(maximum)}`, { max_length: maximum });

/** A number below its least value. */
export const belowMinimum = (loc: Location, minimum: number): Issue =>
  issue(loc, "greater_than_equal", `Input should be greater than or equal to ${minimum}`, { ge: minimum });

/** A number above its greatest value. */
export const aboveMaximum = (loc: Location, maximum: number): Issue =>
  issue(loc, "less_than_equal", `Input should be less than or equal to ${maximum}`, { le: maximum });

/** A number outside of its bounds, either of which may be left out; null where it is within them. */
export function outOfBounds(
  loc: Location,
  value: number,
  { minimum = -Infinity, maximum = Infinity }: { readonly minimum?: number; readonly maximum?: number },
): Issue | null {
  if (value < minimum) return belowMinimum(loc, minimum);
  if (value > maximum) return aboveMaximum(loc, maximum);
  return null;
}

/** A list that must not be empty. */
export const tooFew = (loc: Location): Issue =>
  issue(loc, "too_short", "List should have at least 1 item", { min_length: 1 });

/** A list above its greatest length. */
export const tooMany = (loc: Location, maximum: number): Issue =>
  issue(loc, "too_long", `List should have at most ${maximum} items`, { max_length: maximum });

/** A text that breaks the rule of its characters. */
export const patternMismatch = (loc: Location, pattern: string): Issue =>
  issue(loc, "string_pattern_mismatch", `String should match pattern '${pattern}'`, { pattern });

/** A value outside a closed list. */
export function notInEnum(loc: Location, allowed: readonly string[]): Issue {
  const quoted = allowed.map((value) => `'${value}'`);
  const expected = quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  return issue(loc, "enum", `Input should be ${expected}`, { expected });
}

/** A key that must not stand here; the clause says what to do, without a full stop. */
export const extraForbidden = (loc: Location, clause: string): Issue =>
  issue(loc, "extra_forbidden", `Extra inputs are not permitted: ${clause}`);

/** Something that should have been a JSON object. */
export const notAnObject = (loc: Location): Issue =>
  issue(loc, "model_attributes_type", "Input should be a valid dictionary or object to extract fields from");
