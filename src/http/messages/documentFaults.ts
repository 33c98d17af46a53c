import { parseInstant } from "../../shared/instant.js";
import { notStorable } from "../../shared/storableText.js";
import { readBase64 } from "../validation/base64.js";
import { isLongerThan } from "../validation/characters.js";
import { issue, tooLong, valueError, type Issue, type Location } from "../validation/issue.js";
import { unstorableText } from "../validation/strictJson.js";
import type { CustomPropertyMessage, DocumentMessage } from "./documentMessage.js";

/** A binary that was decoded before the body was parsed. */
export interface LiftedBinary {
  /** Of the bytes. */
  readonly length: number;
  /** null: they are more than are taken. */
  readonly bytes: Uint8Array | null;
}

/** How values of documents are looked at. */
export interface ValueRules {
  /** Of a binary, decoded. */
  readonly maxBinaryBytes: number;
  /** False: the body holds no text that would have to be looked at for NUL characters and unpaired surrogates. */
  readonly mayBeUnstorable: boolean;
  /** By what stands in the message in place of their Base64. */
  readonly lifted?: ReadonlyMap<string, LiftedBinary>;
}

const longestPropertyValue = 8_192;
const none: readonly Issue[] = [];

/**
 * What is wrong with the values of a document whose shape is right, `loc` counted from the document: what no schema can
 * say. In an array it is this document's failure alone (spec: POST /documents, rules 2 and 4).
 */
export function documentFaults(
  document: DocumentMessage,
  { maxBinaryBytes, mayBeUnstorable, lifted }: ValueRules,
): readonly Issue[] {
  const unstorable = mayBeUnstorable ? unstorableText(document, []) : null;
  if (unstorable !== null) return [unstorable];
  const wrongBinary = binaryFault(document.body.binary_base64, maxBinaryBytes, lifted);
  const wrongDate = dateFault(document.last_modified);
  const wrongProperties = document.custom_properties ? propertyFaults(document.custom_properties) : none;
  if (wrongBinary === null && wrongDate === null && wrongProperties.length === 0) return none;
  return [wrongBinary, wrongDate, ...wrongProperties].filter((found) => found !== null);
}

/** The same fault of a request's only document. */
export const inSingleDocument = (fault: Issue): Issue => ({ ...fault, loc: ["body", "documents", ...fault.loc] });

/** Text of a binary that cannot be stored is refused as it is in `text_content`. */
export const unstorableBinary: Issue = valueError(["body", "binary_base64"], notStorable);

/** A binary that decodes to more bytes than are taken. */
export const oversizedBinary = (maxBinaryBytes: number): Issue =>
  issue(["body", "binary_base64"], "bytes_too_long", `Data should have at most ${maxBinaryBytes} bytes`, {
    max_length: maxBinaryBytes,
  });

function binaryFault(
  binary: string | null | undefined,
  maxBinaryBytes: number,
  lifted: ValueRules["lifted"],
): Issue | null {
  if (binary === undefined || binary === null) return null;
  const read = lifted?.get(binary) ?? readBase64(binary);
  if ("fault" in read)
    return valueError(["body", "binary_base64"], `binary_base64 must be standard Base64: ${read.fault}`);
  return read.length <= maxBinaryBytes ? null : oversizedBinary(maxBinaryBytes);
}

function dateFault(lastModified: string | null | undefined): Issue | null {
  if (lastModified === undefined || lastModified === null || parseInstant(lastModified) !== null) return null;
  return {
    ...issue(["last_modified"], "datetime_parsing", "Input should be a valid ISO 8601 date and time that exists"),
    input: lastModified,
  };
}

function propertyFaults(properties: readonly CustomPropertyMessage[]): readonly Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [index, { name, value }] of properties.entries()) {
    const loc = ["custom_properties", index];
    // Of two values of one property, nobody can tell which is meant.
    if (seen.has(name))
      issues.push(valueError([...loc, "name"], `the property ${JSON.stringify(name)} stands twice in one document`));
    seen.add(name);
    const wrong = valueFault(value, [...loc, "value"]);
    if (wrong !== null) issues.push(wrong);
  }
  return issues;
}

function valueFault(value: unknown, loc: Location): Issue | null {
  if (typeof value === "string" && isLongerThan(value, longestPropertyValue)) return tooLong(loc, longestPropertyValue);
  if (typeof value === "number" && !Number.isFinite(value))
    return issue(loc, "finite_number", "Input should be a finite number");
  return null;
}
