import { decodeEntities } from "../../../shared/entities.js";

/** The text of a snippet that comes as a piece of HTML. A bare `<` is one. */
export const plainText = (snippet: unknown): string =>
  typeof snippet === "string"
    ? decodeEntities(snippet.replace(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/gi, ""))
        .replace(/\s+/g, " ")
        .trim()
    : "";
