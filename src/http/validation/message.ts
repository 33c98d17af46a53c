import type { IValidation } from "typia";
import { match, P } from "ts-pattern";
import { toFinding, type Finding, type Rule } from "./findings.js";
import { failed, ok, type Result } from "../../shared/result.js";
import {
  notAnObject,
  type Issue,
  echo,
  issue,
  missing,
  mostIssues,
  notInEnum,
  aboveMaximum,
  belowMinimum,
  patternMismatch,
  tooFew,
  tooLong,
  tooMany,
  tooShort,
  type Location,
} from "./issue.js";

/** What was asked, or everything that is wrong with it. */
export type Checked<Message> = Result<Message, readonly Issue[]>;

/** How the API description tells of a message: its schema, and every schema that it refers to, by name. */
export interface MessageSchema {
  readonly schema: object;
  readonly components: Readonly<Record<string, object>>;
}

/** A body that the service takes. */
export interface BodyMessage<Message> extends MessageSchema {
  check(input: unknown): Checked<Message>;
}

/** What `json.schema` makes of a type. */
interface SchemaUnit {
  readonly schema: object;
  readonly components: { readonly schemas?: Readonly<Record<string, object>> };
}

/**
 * A body, from what typia makes of its type, and rules beyond types, lengths and patterns. Unknown keys pass and are
 * ignored. typia works on the file that it is called in: an incremental build does not notice that a type in another
 * file has changed, so a message stays in one file, or `npm run clean` goes before the build.
 */
export function bodyMessage<Message>(
  unit: SchemaUnit,
  validate: (input: unknown) => IValidation<Message>,
  rules: (message: Message) => readonly Issue[] = () => [],
): BodyMessage<Message> {
  return {
    ...answerMessage(unit),
    check: (input) => {
      if (typeof input !== "object" || input === null || Array.isArray(input)) return failed([notAnObject(["body"])]);
      const outcome = validate(input);
      if (!outcome.success) return failed(toIssues(outcome.errors, ["body"]));
      const broken = rules(outcome.data);
      return broken.length === 0 ? ok(outcome.data) : failed(broken);
    },
  };
}

/** A body that the service answers with. */
export const answerMessage = ({ schema, components }: SchemaUnit): MessageSchema => ({
  schema,
  components: components.schemas ?? {},
});

/** The same, where the types of these names take no other keys than their own. */
export const withoutOtherKeys = ({ schema, components }: MessageSchema, names: readonly string[]): MessageSchema => ({
  schema,
  components: {
    ...components,
    ...Object.fromEntries(names.map((name) => [name, { ...components[name], additionalProperties: false }])),
  },
});

/** A schema that has no name. */
export const unnamed = (schema: object): MessageSchema => ({ schema, components: {} });

/** A list of messages. */
export const listOf = ({ schema, components }: MessageSchema): MessageSchema => ({
  schema: { type: "array", items: schema },
  components,
});

/** One of several messages. */
export const eitherOf = (...messages: readonly MessageSchema[]): MessageSchema => ({
  schema: { oneOf: messages.map(({ schema }) => schema) },
  components: Object.assign({}, ...messages.map(({ components }) => components)) as MessageSchema["components"],
});

/** One of several messages, each a named type, which a property of theirs tells apart by its value. */
export function toldApart(propertyName: string, messages: Readonly<Record<string, MessageSchema>>): MessageSchema {
  const either = eitherOf(...Object.values(messages));
  const mapping = Object.fromEntries(
    Object.entries(messages).map(([value, { schema }]) => [value, (schema as { readonly $ref: string }).$ref]),
  );
  return { ...either, schema: { ...either.schema, discriminator: { propertyName, mapping } } };
}

/** Turns what typia found wrong at `root` into issues in the spec's words, as many as are told. */
export function toIssues(errors: readonly IValidation.IError[], root: Location): Issue[] {
  return errors.slice(0, mostIssues).map((error) => toIssue(toFinding(error), root));
}

function toIssue(finding: Finding, root: Location): Issue {
  const loc = [...root, ...finding.path];
  if (finding.rule === "missing") return missing(loc);
  const found = match<Rule, Issue>(finding)
    .with({ rule: P.union("object", "missing") }, () => notAnObject(loc))
    .with({ rule: "string" }, () => issue(loc, "string_type", "Input should be a valid string"))
    .with({ rule: "boolean" }, () => issue(loc, "bool_type", "Input should be a valid boolean"))
    .with({ rule: "list" }, () => issue(loc, "list_type", "Input should be a valid list"))
    .with({ rule: "number" }, () => issue(loc, "float_type", "Input should be a valid number"))
    .with({ rule: "integer" }, () => issue(loc, "int_type", "Input should be a valid integer"))
    .with({ rule: "fraction" }, () =>
      issue(loc, "int_from_float", "Input should be a valid integer, got a number with a fractional part"),
    )
    .with({ rule: "finite" }, () => issue(loc, "finite_number", "Input should be a finite number"))
    .with({ rule: "minimum" }, ({ argument }) => belowMinimum(loc, argument))
    .with({ rule: "maximum" }, ({ argument }) => aboveMaximum(loc, argument))
    .with({ rule: "minLength" }, ({ argument }) => tooShort(loc, argument))
    .with({ rule: "maxLength" }, ({ argument }) => tooLong(loc, argument))
    .with({ rule: "minItems" }, () => tooFew(loc))
    .with({ rule: "maxItems" }, ({ argument }) => tooMany(loc, argument))
    .with({ rule: "pattern" }, ({ argument }) => patternMismatch(loc, argument))
    .with({ rule: "oneOf" }, ({ argument }) => notInEnum(loc, argument))
    .exhaustive();
  return { ...found, ...echo(finding.value) };
}

/** Looking for all that is wrong takes microseconds for each find, and a find for each value may be there. */
const mostValues = 1_000;

type FoundShape = Pick<IValidation.IError, "path" | "expected" | "value">;

/** The first thing that is wrong. To be given to typia's `createAssert` as `wrongShape`. */
class WrongShape extends Error {
  constructor(readonly found: FoundShape) {
    super(`Something else was expected at ${found.path}.`);
  }
}

/** Makes the error that an assertion throws. */
export const wrongShape = ({
  path = "$input",
  expected,
  value,
}: Partial<FoundShape> & Pick<FoundShape, "expected">): Error => new WrongShape({ path, expected, value });

/**
 * Finds everything that is wrong with a small value, and the first thing that is wrong with a large one: a body of
 * 256 KiB could otherwise take seconds to be refused. A right value is told as fast by either.
 */
export const boundedValidation =
  <Message>(validate: (input: unknown) => IValidation<Message>, assert: (input: unknown) => Message) =>
  (input: unknown): IValidation<Message> => {
    if (!holdsMoreThan(mostValues, input)) return validate(input);
    try {
      return { success: true, data: assert(input) };
    } catch (error) {
      if (error instanceof WrongShape) return { success: false, data: input, errors: [error.found] };
      throw error;
    }
  };

/** Whether there are more values in a value; looks at no more than that. */
function holdsMoreThan(most: number, input: unknown): boolean {
  let left = most;
  const isBeyond = (value: unknown): boolean => {
    if (--left < 0) return true;
    if (typeof value !== "object" || value === null) return false;
    return Array.isArray(value) ? value.some(isBeyond) : Object.values(value).some(isBeyond);
  };
  return isBeyond(input);
}
