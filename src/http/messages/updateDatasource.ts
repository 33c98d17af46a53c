import { createValidate, json } from "typia";
import { extraForbidden } from "../validation/issue.js";
import { bodyMessage } from "../validation/message.js";
import { iconIssues } from "./icon.js";
import type { ObjectDefinitionMessage } from "./objectDefinitions.js";
import type { Label } from "./texts.js";

/** Body of `PUT /datasources/{name}`; what is left out stays as it is. */
export interface UpdateDatasourceMessage {
  display_name?: Label | null;
  /** null removes the icon. */
  icon_base64?: string | null;
  object_definitions?: ObjectDefinitionMessage[] | null;
}

export const updateDatasourceMessage = bodyMessage(
  json.schema<UpdateDatasourceMessage>(),
  createValidate<UpdateDatasourceMessage>(),
  (message) => [
    ...["name", "subs"]
      .filter((field) => field in message)
      .map((field) => extraForbidden(["body", field], `${field} cannot be changed`)),
    ...iconIssues(message),
  ],
);
