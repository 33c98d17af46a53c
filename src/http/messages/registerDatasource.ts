import { createAssert, createValidate, json } from "typia";
import type { DefaultAccess } from "../../events/datasource.js";
import { valueError, type Issue } from "../validation/issue.js";
import { boundedValidation, wrongShape } from "../validation/boundedValidation.js";
import { bodyMessage } from "../validation/message.js";
import type { SubMessage } from "./addSub.js";
import { iconIssues } from "./icon.js";
import type { ObjectDefinitionMessage } from "./objectDefinitions.js";
import type { Label, Slug } from "./texts.js";

/** Body of `POST /datasources`. */
export interface RegisterDatasourceMessage {
  /** Any slug but `other`, which searches use for datasources without a well-known name. */
  name: Slug;
  /** Default: `name`. */
  display_name?: Label | null;
  /** Base64 or a data URL, at most 256 KiB decoded. */
  icon_base64?: string | null;
  /** Nested, or flat with `parent_key`. */
  subs?: SubMessage[] | null;
  object_definitions?: ObjectDefinitionMessage[] | null;
  /**
   * Our own addition: who sees documents that are pushed without `permissions`: `anonymous` (the default), every
   * registered user; `nobody`, no one.
   */
  default_access?: DefaultAccess | null;
}

export const registerDatasourceMessage = bodyMessage(
  json.schema<RegisterDatasourceMessage>(),
  boundedValidation(createValidate<RegisterDatasourceMessage>(), createAssert<RegisterDatasourceMessage>(wrongShape)),
  (message) => [...nameIssues(message), ...iconIssues(message)],
);

/** `data_source=other` searches every datasource that is not named like one of the spec's six. */
const nameIssues = ({ name }: RegisterDatasourceMessage): readonly Issue[] =>
  name === "other"
    ? [
        valueError(
          ["body", "name"],
          "other is what searches call all datasources without a well-known name; choose another",
        ),
      ]
    : [];
