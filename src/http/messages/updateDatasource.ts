import { createAssert, createValidate, json } from "typia";
import type { DefaultAccess } from "../../events/datasource.js";
import { boundedValidation, wrongShape } from "../validation/boundedValidation.js";
import { bodyMessage } from "../validation/message.js";
import type { SubMessage } from "./addSub.js";
import { iconIssues } from "./icon.js";
import type { ObjectDefinitionMessage } from "./objectDefinitions.js";
import type { Label } from "./texts.js";

/** Body of `PUT /datasources/{name}`; what is left out stays as it is. What `GET` answers can be sent back. */
export interface UpdateDatasourceMessage {
  /** As it is: it cannot be changed. */
  name?: string | null;
  /** As they are: they cannot be changed here. */
  subs?: SubMessage[] | null;
  display_name?: Label | null;
  /** null removes the icon. */
  icon_base64?: string | null;
  object_definitions?: ObjectDefinitionMessage[] | null;
  /**
   * Our own addition: who sees documents that are pushed without `permissions` from now on. What is indexed stays as it
   * is until it is pushed again.
   */
  default_access?: DefaultAccess | null;
}

export const updateDatasourceMessage = bodyMessage(
  json.schema<UpdateDatasourceMessage>(),
  boundedValidation(createValidate<UpdateDatasourceMessage>(), createAssert<UpdateDatasourceMessage>(wrongShape)),
  iconIssues,
);
