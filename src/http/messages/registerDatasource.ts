import { createValidate, json } from "typia";
import { bodyMessage } from "../validation/message.js";
import type { SubMessage } from "./addSub.js";
import { iconIssues } from "./icon.js";
import type { ObjectDefinitionMessage } from "./objectDefinitions.js";
import type { Label, Slug } from "./texts.js";

/** Body of `POST /datasources`. */
export interface RegisterDatasourceMessage {
  name: Slug;
  /** Default: `name`. */
  display_name?: Label | null;
  /** Base64 or a data URL, at most 256 KiB decoded. */
  icon_base64?: string | null;
  /** Nested, or flat with `parent_key`. */
  subs?: SubMessage[] | null;
  object_definitions?: ObjectDefinitionMessage[] | null;
}

export const registerDatasourceMessage = bodyMessage(
  json.schema<RegisterDatasourceMessage>(),
  createValidate<RegisterDatasourceMessage>(),
  iconIssues,
);
