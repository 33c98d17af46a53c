import { createAssert, createValidate, json } from "typia";
import { boundedValidation, wrongShape } from "../validation/boundedValidation.js";
import { bodyMessage } from "../validation/message.js";
import type { Label, Slug } from "./texts.js";

/** A sub-datasource (spec: Sub definition); body of `POST /datasources/{name}/subs`. */
export interface SubMessage {
  name: Label;
  /** Derived from `name` where it is left out. */
  key?: Slug | null;
  /** An existing top-level sub; makes this one its child. */
  parent_key?: Slug | null;
  /** Children; a child has none. */
  subs?: SubMessage[] | null;
}

export const addSubMessage = bodyMessage(
  json.schema<SubMessage>(),
  boundedValidation(createValidate<SubMessage>(), createAssert<SubMessage>(wrongShape)),
);
