import { failed } from "../../src/shared/result.js";
import type { DocumentSchemaError, Rejection } from "../rejection.js";

/** Refuses a document with one of the spec's codes and a sentence that says what to change. */
export const schemaViolation = (
  code: DocumentSchemaError,
  message: string,
): { readonly ok: false; readonly error: Rejection } => failed({ type: "DocumentSchemaViolation", code, message });

/** For messages: the values in quotes, or what to say where there are none. */
export const listed = (values: Iterable<string>, none: string): string => {
  const quoted = Array.from(values, (value) => `"${value}"`);
  return quoted.length === 0 ? none : quoted.join(", ");
};
