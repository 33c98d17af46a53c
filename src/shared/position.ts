declare const brand: unique symbol;

/** Where an event stands in the whole log. Strictly increasing, not gapless; engines choose the numbers. */
export type Position = bigint & { readonly [brand]: "Position" };
/** Where an event stands in its stream: 0 for the first. */
export type Revision = number;
/** What a stream's revision must be for an append to be accepted. There is no "any": a retry would duplicate. */
export type ExpectedRevision = Revision | "noStream";

/** Before the first event. */
export const beginning = 0n as Position;
export const toPosition = (value: bigint | number): Position => BigInt(value) as Position;
export const laterOf = (a: Position, b: Position): Position => (a > b ? a : b);

/** Takes digits of base 36 in lower case. */
export function parseBase36(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}
