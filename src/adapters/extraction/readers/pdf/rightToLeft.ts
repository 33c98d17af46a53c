/** Letters of scripts that are written from right to left. Their digits are not. */
const rightToLeft =
  /[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Everything before is Latin, Greek, Cyrillic or Armenian. */
const first = "\u0590";

/** Whether a sign belongs to a script that is written from right to left. */
export const isRightToLeft = (sign: string): boolean => sign >= first && rightToLeft.test(sign);

/** Whether most letters are of scripts that are written from right to left. */
export const readsFromRight = (signs: readonly string[]): boolean => isFromRight(signs.map(kindOf));

const isFromRight = (kinds: readonly string[]): boolean =>
  kinds.filter((kind) => kind === "R").length >= kinds.filter((kind) => kind === "L").length;

/** The signs of a line as they stand from left to right, in the order in which they are read. */
export function inReadingOrder(signs: readonly string[]): readonly string[] {
  if (!signs.some(isRightToLeft)) return signs;
  const kinds = signs.map(kindOf);
  return isFromRight(kinds) ? readFromRight(signs, kinds) : readFromLeft(signs, kinds);
}

/** R and L: letters of either direction; N: digits; S: spaces; O: what takes the direction of its neighbours. */
function kindOf(sign: string): string {
  if (isRightToLeft(sign)) return "R";
  if (/\p{L}/u.test(sign)) return "L";
  if (/\p{N}/u.test(sign)) return "N";
  return /^\s*$/.test(sign) ? "S" : "O";
}

/** Words and numbers of the other direction keep their order. */
function readFromRight(signs: readonly string[], kinds: readonly string[]): readonly string[] {
  const [read, kindsRead] = [signs.toReversed(), kinds.toReversed().join("")];
  for (const { 0: run, index } of kindsRead.matchAll(/[LN](?:[LNSO]*[LN])?/g)) {
    if (run.includes("L")) turn(read, index, run.length);
    else turnNumbers(read, index, run);
  }
  return read;
}

function readFromLeft(signs: readonly string[], kinds: readonly string[]): readonly string[] {
  const [read, kindsRead] = [[...signs], [...kinds]];
  for (const { 0: run, index } of kinds.join("").matchAll(/R(?:[RNSO]*R)?/g)) {
    turn(read, index, run.length);
    turn(kindsRead, index, run.length);
    turnNumbers(read, index, kindsRead.slice(index, index + run.length).join(""));
  }
  return read;
}

/** Each number by itself: what stands between two of them is not part of them. */
function turnNumbers(signs: string[], at: number, kinds: string): void {
  for (const { 0: run, index } of kinds.matchAll(/N(?:[NO]*N)?/g)) turn(signs, at + index, run.length);
}

function turn(signs: string[], at: number, length: number): void {
  const turned = signs.slice(at, at + length).toReversed();
  for (const [offset, sign] of turned.entries()) signs[at + offset] = sign;
}
