import { timingSafeEqual } from "node:crypto";
import { hashSecret } from "../../src/shared/credential.js";

/** Stands in for an unknown credential, so that unknown ids take as long as known ones. */
export const hashOfNobody = hashSecret("");

const { length } = hashOfNobody;
/** Shared by all comparisons, each of which is synchronous: one allocation per request would be felt. */
const [first, second] = [Buffer.alloc(length), Buffer.alloc(length)];

/** Takes the same time wherever two hashes differ. */
export const isSameHash = (a: string, b: string): boolean =>
  first.write(a, "latin1") === second.write(b, "latin1") && a.length === b.length && timingSafeEqual(first, second);
