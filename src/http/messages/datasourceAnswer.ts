import { json } from "typia";
import type { DefaultAccess, PropertyType } from "../../events/datasource.js";
import { answerMessage } from "../validation/message.js";
import type { SubAnswer } from "./subAnswer.js";

/** A property definition as it is answered. */
export interface PropertyDefinitionAnswer {
  name: string;
  display_label: string;
  is_searchable: boolean;
  property_type: PropertyType;
}

/** An object definition as it is answered. */
export interface ObjectDefinitionAnswer {
  name: string;
  property_definitions: PropertyDefinitionAnswer[];
}

/** A datasource with its full sub tree. */
export interface DatasourceAnswer {
  name: string;
  display_name: string;
  icon_base64: string | null;
  subs: SubAnswer[];
  object_definitions: ObjectDefinitionAnswer[];
  /** Our own addition: who sees documents that are pushed without `permissions`. */
  default_access: DefaultAccess;
}

export const datasourceAnswer = answerMessage(json.schema<DatasourceAnswer>());
