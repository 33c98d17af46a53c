import type { ParameterDescription } from "../route.js";

/** A parameter of the query string, described. Of a text, where no schema is given. */
export const inQuery = (
  name: string,
  description: string,
  schema: object = { type: "string" },
  required = false,
): ParameterDescription => ({
  name,
  in: "query",
  description,
  required,
  schema,
});
