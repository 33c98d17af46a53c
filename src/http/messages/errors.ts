import { json, type tags } from "typia";
import { answerMessage } from "../validation/message.js";

/** One entry of the standard 422 envelope. */
export interface IssueAnswer {
  loc: (string | (number & tags.Type<"int32">))[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** Request validation failed (422, standard envelope). */
interface ValidationErrorAnswer {
  detail: IssueAnswer[];
}

export const validationErrorAnswer = answerMessage(json.schema<ValidationErrorAnswer>());

/** Everything else that went wrong: one sentence. */
interface ErrorAnswer {
  detail: string;
}

export const errorAnswer = answerMessage(json.schema<ErrorAnswer>());

/** Service-layer schema validation failed (422). */
interface SchemaErrorAnswer {
  status: "error";
  details: {
    error_code:
      | "NO_PROPERTY_DEFINITIONS"
      | "UNKNOWN_PROPERTY"
      | "INVALID_PROPERTY_TYPE"
      | "INVALID_DATA_SOURCE_SUB"
      | "INVALID_DATA_SOURCE_SUB_SUB"
      | "AMBIGUOUS_DATA_SOURCE_SUB_SUB";
    message: string;
  };
}

export const schemaErrorAnswer = answerMessage(json.schema<SchemaErrorAnswer>());

/** Answer of a write that has nothing to add. */
export interface DoneAnswer {
  status: "ok";
}

export const doneAnswer = answerMessage(json.schema<DoneAnswer>());
