import type { tags } from "typia";

/** A position in the log, in decimal digits. */
export type PositionText = string & tags.Pattern<"^[0-9]{1,18}$">;
