import type { Fan, GraphNode } from "./graph.js";

/** In which direction a picture goes from the document to the people. */
export type Direction = "across" | "down";

/** A point of the picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where everything stands. */
export interface Layout {
  readonly direction: Direction;
  readonly width: number;
  readonly height: number;
  /** The middle of each place. */
  readonly places: ReadonlyMap<string, Point>;
  /** The bends of each link. */
  readonly lines: ReadonlyMap<string, readonly Point[]>;
  /** Where its words stand. */
  readonly labels: ReadonlyMap<string, Point>;
  readonly hasLabels: boolean;
}

/** The size of every place, but for open fans. */
export const placeSize = { width: 208, height: 50 } as const;
/** Of the two lines on a link. */
export const labelSize = { width: 150, height: 34 } as const;
/** Of a member of an open fan, and of what stands above them all. */
export const memberSize = { width: 168, height: 30, gap: 6, head: 40, padding: 8 } as const;

/** How many columns the members of an open fan stand in. */
export function columnsOf({ count }: Fan, direction: Direction): number {
  if (direction === "down") return count > 12 ? 2 : 1;
  return Math.min(6, Math.max(1, Math.round(Math.sqrt(count / 4))));
}

/** How much room a place takes. */
export function sizeOf({ fan }: GraphNode, direction: Direction): { readonly width: number; readonly height: number } {
  if (fan === null || fan.members === null) return placeSize;
  const columns = columnsOf(fan, direction);
  const { width, height, gap, head, padding } = memberSize;
  const rows = Math.ceil(fan.members.length / columns);
  return { width: columns * (width + gap) - gap + 2 * padding, height: head + rows * (height + gap) - gap + padding };
}
