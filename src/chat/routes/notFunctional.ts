import { refusal } from "../../http/envelopes.js";
import { RefusedRequest } from "../../http/refusedRequest.js";
import type { Method, Route } from "../../http/route.js";
import { unchecked } from "../../http/pathParameters.js";

/** Where the compatible API begins (spec: Model-compatible endpoints). */
export const compatibleBase = "/api/beta/amberai";

const methods: readonly Method[] = ["GET", "POST", "PUT", "DELETE"];
const rest = { ...unchecked("rest", "What follows the base.", {}), isRest: true } as const;

/** Every other route of the compatible API: there, and not functional. The usual clients would try a 5xx again. */
export const notFunctionalRoutes: readonly Route[] = methods.map((method) => ({
  method,
  path: `${compatibleBase}/{rest}`,
  access: "apiKey",
  params: [rest],
  handle: ({ path }) => {
    const detail = `${method} ${path} is not functional here. Functional are GET ${compatibleBase}/models, GET ${compatibleBase}/models/{model} and POST ${compatibleBase}/chat/completions.`;
    throw new RefusedRequest(refusal(501, detail, { "x-should-retry": "false" }));
  },
}));
