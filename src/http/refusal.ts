import type { Refusal } from "./refusedRequest.js";
import { mostIssues, type Issue } from "./validation/issue.js";

/** `{detail}` with a sentence (spec: Envelopes). */
export const refusal = (status: number, detail: string, headers?: Refusal["headers"]): Refusal => ({
  status,
  body: { detail },
  headers,
});

/** The standard 422 envelope (spec: Validation error body). */
export const invalidRequest = (issues: readonly Issue[]): Refusal => ({
  status: 422,
  body: { detail: issues.slice(0, mostIssues) },
});

/** A name as it stands in a sentence. */
export const quoted = (name: string): string => JSON.stringify(name);
