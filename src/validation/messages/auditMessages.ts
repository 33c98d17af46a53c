import type { tags } from "typia";
import type { MaxCharacters } from "./maxCharacters.js";

/** A request of the Indexing API that changes something, to be tried. */
export interface TriedRequestMessage {
  method: string & tags.MinLength<1> & MaxCharacters<16>;
  /** With its query string, such as `/api/indexing/memberships`. */
  path: string & tags.MinLength<1> & MaxCharacters<4096>;
  /** As the API takes it; a document may leave out its text. */
  body?: unknown;
}

/** Body of `POST /api/audit/what-if`. */
export interface WhatIfMessage {
  /** Tried one after the other, each on what those before it would have left. */
  requests: TriedRequestMessage[] & tags.MaxItems<10000>;
}
