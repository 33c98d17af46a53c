import { match } from "ts-pattern";
import { notStorable } from "../../src/shared/storableText.js";
import type { Rejection } from "../rejection.js";

/** Tells, in the array form, why one document failed (spec: Documents, rule 4). */
export function failureMessage(rejection: Rejection): string {
  return match(rejection)
    .with(
      { type: "DatasourceNotFound" },
      ({ datasource }) => `Datasource "${datasource}" does not exist: register it first.`,
    )
    .with(
      { type: "DatasourceForbidden" },
      ({ datasource }) => `This service account is not allowed to use datasource "${datasource}".`,
    )
    .with({ type: "DocumentSchemaViolation" }, ({ code, message }) => `${code}: ${message}`)
    .with(
      { type: "TooLarge" },
      ({ bytes, maxBytes }) =>
        `The document's permissions and properties come to ${bytes} bytes, and at most ${maxBytes} can be recorded: name groups instead of single users.`,
    )
    .with(
      { type: "WouldWiden" },
      () => "The document is restricted, and every registered user would see it: nothing was written.",
    )
    .with({ type: "FileUnstorable" }, () => `body.binary_base64: Value error, ${notStorable}.`)
    .with({ type: "TooMuchContention" }, () => "Other writers kept changing this document: send it again.")
    .otherwise(({ type }) => `The document was refused: ${type}.`);
}
