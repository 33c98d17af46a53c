import { toEmail, toGroupName } from "../../shared/ids.js";
import { extraForbidden, issuesOfEach, tooShort, type Issue, type Location } from "../validation/issue.js";
import { isMisspelt, unknownKeyIssues } from "../validation/unknownKeys.js";
import type { DocumentMessage } from "./documentMessage.js";

const grants = ["allow_anonymous_access", "allowed_users", "allowed_groups"];
const ofUser = ["email"];
const none: readonly Issue[] = [];

/**
 * What is wrong with the keys that say who may see a document, and with emails that name nobody. Other unknown keys are ignored, but one of these that is
 * mistyped would open the document to everybody registered, or grant nobody, in silence.
 */
export function permissionKeyIssues(document: DocumentMessage, loc: Location): readonly Issue[] {
  const { permissions } = document;
  const misplaced = [...strayPermissions(document, loc, true), ...strayPermissions(document.body, [...loc, "body"])];
  if (permissions === undefined || permissions === null) return misplaced;
  const users = issuesOfEach(permissions.allowed_users ?? [], (user, index) => {
    const place = [...loc, "permissions", "allowed_users", index];
    const unknown = unknownKeyIssues(user, ofUser, place);
    return toEmail(user.email) === "" ? [...unknown, tooShort([...place, "email"], 1)] : unknown;
  });
  const groups = issuesOfEach(permissions.allowed_groups ?? [], (name, index) =>
    toGroupName(name) === "" ? [tooShort([...loc, "permissions", "allowed_groups", index], 1)] : none,
  );
  return [...misplaced, ...unknownKeyIssues(permissions, grants, [...loc, "permissions"]), ...users, ...groups];
}

/** Keys that read like `permissions` where no such key is known. `isKnown`: it is known, in this spelling. */
export function strayPermissions(value: object, loc: Location, isKnown = false): readonly Issue[] {
  const clause = isKnown ? "did you mean permissions?" : "permissions belong to a document";
  return issuesOfEach(Object.keys(value), (key) =>
    (key === "permissions" && !isKnown) || isMisspelt(key, "permissions")
      ? [extraForbidden([...loc, key], clause)]
      : none,
  );
}
