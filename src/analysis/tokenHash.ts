import { randomInt } from "node:crypto";

/** No token has this hash. */
export const noHash = 0;

/** Where a token's hash begins. It differs in each process, so nobody can write a text whose words all collide. */
export const hashSeed = randomInt(2 ** 31);

/** FNV-1a over UTF-16 units, one at a time. */
export const hashedWith = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/** Mixes the hash, so that tokens differ in its low bits too. Never {@link noHash}. */
export function finishedHash(hash: number): number {
  const mixed = hash ^ (hash >>> 15);
  return mixed === noHash ? 1 : mixed;
}

/** The hash of the token that stands from `start` to `end`. */
export function hashOf(text: string, start: number, end: number): number {
  let hash = hashSeed;
  for (let index = start; index < end; index += 1) hash = hashedWith(hash, text.charCodeAt(index));
  return finishedHash(hash);
}
