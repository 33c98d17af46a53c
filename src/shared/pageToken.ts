import { parseBase36, toPosition, type Position } from "./position.js";

/** Where a page of an answer begins: as of which position, and after how many items. */
export interface PageToken {
  readonly position: Position;
  readonly offset: number;
}

const form = /^n1-([0-9a-z]{1,13})-([0-9a-z]{1,9})$/;

/** The opaque value of `next`. */
export const formatPageToken = ({ position, offset }: PageToken): string => `n1-${position.toString(36)}-${offset.toString(36)}`;

/** Reads the value of `next`; null where it is not one of ours. */
export function parsePageToken(text: string): PageToken | null {
  const [, position, offset] = form.exec(text) ?? [];
  if (position === undefined || offset === undefined) return null;
  return { position: toPosition(parseBase36(position)), offset: Number(parseBase36(offset)) };
}
