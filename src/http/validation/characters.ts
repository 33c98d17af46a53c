/**
 * Whether a text has more characters than `most`: Unicode code points, as JSON Schema's `maxLength` counts them. A
 * character takes one or two UTF-16 units, so that most texts need not be counted.
 */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);
