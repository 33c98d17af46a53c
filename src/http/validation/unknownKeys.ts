import { distanceWithin } from "../../shared/editDistance.js";
import { extraForbidden, issuesOfEach, type Issue, type Location } from "./issue.js";

const none: readonly Issue[] = [];

/** How many edits a key may be from the one that was meant. */
const mostEdits = 2;

/** Whether a key is this one but for its case or two edits. */
export function isMisspelt(key: string, known: string): boolean {
  if (key === known || Math.abs(key.length - known.length) > mostEdits) return false;
  return distanceWithin(key.toLowerCase(), known.toLowerCase(), mostEdits) !== null;
}

/** An issue for each key that is not one of these, with the one that may have been meant. */
export function unknownKeyIssues(value: object, known: readonly string[], loc: Location): readonly Issue[] {
  return issuesOfEach(Object.keys(value), (key) => {
    if (known.includes(key)) return none;
    const meant = known.find((name) => isMisspelt(key, name));
    const clause = meant === undefined ? `known are ${known.join(", ")}` : `did you mean ${meant}?`;
    return [extraForbidden([...loc, key], clause)];
  });
}
