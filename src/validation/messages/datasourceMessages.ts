import type { tags } from "typia";
import type { PropertyType } from "../../events/datasource.js";
import type { MaxCharacters } from "./maxCharacters.js";

/** Lowercase words of letters and digits, joined by single underscores (spec: Naming rules). */
export type Slug = string & tags.Pattern<"^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$"> & MaxCharacters<64>;
/** A label that people read. */
export type Label = string & tags.MinLength<1> & MaxCharacters<256>;

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

/** A sub-datasource (spec: Sub definition). */
export interface SubMessage {
  name: Label;
  /** Derived from `name` where it is left out. */
  key?: Slug | null;
  /** An existing top-level sub; makes this one its child. */
  parent_key?: Slug | null;
  /** Children; a child has none. */
  subs?: SubMessage[] | null;
}

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

/** Body of `PUT /datasources/{name}`; what is left out stays as it is. */
export interface UpdateDatasourceMessage {
  display_name?: Label | null;
  /** null removes the icon. */
  icon_base64?: string | null;
  object_definitions?: ObjectDefinitionMessage[] | null;
}

/** A sub as it is answered. */
export interface SubAnswer {
  name: string;
  key: string;
  /** null for a top-level sub. */
  parent_key: string | null;
  subs: SubAnswer[];
}

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
}
