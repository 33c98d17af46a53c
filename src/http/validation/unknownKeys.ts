import { distanceWithin } from "../../shared/editDistance.js";
import { extraForbidden, type Issue, type Location } from "./issue.js";

/** How many edits a key may be from the one that was meant. */
const mostEdits = 2;

/** Whether a key is this one but for its case or two edits. */
export function isMisspelt(key: string, known: string): boolean {
  if (key === known || Math.abs(key.length - known.length) > mostEdits) return false;
  return distanceWithin(key.toLowerCase(), known.toLowerCase(), mostEdits) !== null;
}

/** An issue for each key that is not one of these, with the one that may have been meant. */
export function unknownKeyIssues(value: object, known: readonly string[], loc: Location): readonly Issue[] {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  return unknown.map((key) => {
    const meant = known.find((name) => isMisspelt(key, name));
    return extraForbidden(
      [...loc, key],
      meant === undefined ? `known are ${known.join(", ")}` : `did you mean ${meant}?`,
    );
  });
}
