import type { IValidation } from "typia";
import { failed, ok, type Result } from "../../shared/result.js";
import { notAnObject, type Issue } from "./issue.js";
import { toIssues } from "./typiaIssues.js";

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
