import type { tags } from "typia";
import type { MaxCharacters } from "../validation/maxCharacters.js";

/** Lowercase words of letters and digits, joined by single underscores (spec: Naming rules). */
export type Slug = string & tags.Pattern<"^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$"> & MaxCharacters<64>;
/** A label that people read. */
export type Label = string & tags.MinLength<1> & MaxCharacters<256>;
/** Letters, digits, hyphen, underscore and dot; neither `.` nor `..`, which addresses take for folders. */
export type DocumentIdText = string &
  tags.Pattern<"^(\\.{0,2}[A-Za-z0-9_-][A-Za-z0-9._-]*|\\.{3}[A-Za-z0-9._-]*)$"> &
  MaxCharacters<200>;
export type EmailText = string & tags.MinLength<1> & MaxCharacters<254>;
/** Refers to a datasource; an unknown one is the service's answer, not a matter of form. */
export type DatasourceReference = string & tags.MinLength<1> & MaxCharacters<64>;
/**
 * No whitespace, and not starting with the product's name: broken, these are 400, not 422 (spec: Per-endpoint
 * statuses).
 */
export type GroupName = string & tags.MinLength<1> & MaxCharacters<128>;
export type PersonName = string & MaxCharacters<256>;
