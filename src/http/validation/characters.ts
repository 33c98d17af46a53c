import type { tags } from "typia";

/**
 * At most so many Unicode code points, as `isLongerThan` counts and as JSON Schema's `maxLength` means it. typia's own
 * `MaxLength` counts UTF-16 units, so that an emoji would be two characters.
 */
export type MaxCharacters<Most extends number> = tags.TagBase<{
  target: "string";
  kind: "maxLength";
  value: Most;
  validate: `($input.length <= ${Most} || ($input.length <= 2 * ${Most} && [...$input].length <= ${Most}))`;
  exclusive: true;
  schema: { maxLength: Most };
}>;

/**
 * Whether a text has more characters than `most`: Unicode code points, as JSON Schema's `maxLength` counts them. A
 * character takes one or two UTF-16 units, so that most texts need not be counted.
 */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);
