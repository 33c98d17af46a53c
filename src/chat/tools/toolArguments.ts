import { isBlank } from "../../shared/whiteSpace.js";

/** What a model wrote into the arguments of a search, once it is right. */
export interface SearchArguments {
  readonly query: string;
  readonly count: number;
}

/** How many results a search of a model brings. */
export const resultCounts = { least: 1, most: 10, otherwise: 6 } as const;

/** The schema that the model is told, and that its arguments are checked by. */
export const searchSchema = (mostCharacters: number): object => ({
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      maxLength: mostCharacters,
      description: "What to look for, in a few words.",
    },
    count: { type: "integer", minimum: resultCounts.least, maximum: resultCounts.most },
  },
  required: ["query"],
  additionalProperties: false,
});

/** The checked arguments, or a sentence that tells the model what is wrong with them. */
export function readArguments(text: string, mostCharacters: number): SearchArguments | string {
  const given = objectIn(text);
  if (given === null) return "The arguments are no JSON object.";
  const { query, count = resultCounts.otherwise, ...others } = given;
  const [other] = Object.keys(others);
  if (other !== undefined) return `There is no argument ${JSON.stringify(other.slice(0, 50))}.`;
  if (typeof query !== "string" || isBlank(query)) return "The argument `query` has to be a text.";
  if (query.length > mostCharacters) return `The argument \`query\` may have at most ${mostCharacters} characters.`;
  if (!Number.isInteger(count) || Number(count) < resultCounts.least || Number(count) > resultCounts.most)
    return `The argument \`count\` has to be a whole number from ${resultCounts.least} to ${resultCounts.most}.`;
  return { query, count: Number(count) };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
