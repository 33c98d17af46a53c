import type { tags } from "typia";
import type { PropertyType } from "../../events/datasource.js";
import type { MaxCharacters } from "../validation/maxCharacters.js";
import type { Label } from "./texts.js";

/** A property that documents of the datasource may carry (spec: Property definition). */
export interface PropertyDefinitionMessage {
  /** What `custom_properties[].name` refers to. */
  name: string & tags.MinLength<1> & MaxCharacters<128>;
  /** Display name in the search interface. Default: `name`. */
  display_label?: Label | null;
  /** true: the value is included in full-text search; false (the default): structured filter only. */
  is_searchable?: boolean | null;
  property_type: PropertyType;
}

/** An object type with the properties of its documents. */
export interface ObjectDefinitionMessage {
  /** Default: `default`. */
  name?: Label | null;
  property_definitions?: PropertyDefinitionMessage[] | null;
}
