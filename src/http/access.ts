import { match } from "ts-pattern";
import { keyRoles, type CredentialKind, type Role } from "../shared/credential.js";

/**
 * The callers that a route takes. `open`: anyone. `serviceAccount`: programs that push (spec: Authentication).
 * `apiKey`: a person, by a personal key or signed in; `apiKeyAlone`: by a key. `session`: a person who is signed in,
 * and no key. A role, or a list of roles that are all needed: a person who has them. The operator of this process
 * passes wherever a person does.
 */
export type Access = "open" | "serviceAccount" | "apiKey" | "apiKeyAlone" | "session" | Role | readonly Role[];

/** What a request has to bring. */
export interface Requirement {
  /** Kinds of credentials that prove who calls. */
  readonly kinds: readonly CredentialKind[];
  /** All of them. */
  readonly roles: readonly Role[];
  /** A key proves who calls, and may not. */
  readonly isForKeys: boolean;
}

/** What a route asks of its callers. */
export function requirementOf(access: Exclude<Access, "open">): Requirement {
  if (typeof access !== "string") return ofRoles(access);
  return match(access)
    .returnType<Requirement>()
    .with("serviceAccount", (kind) => ({ kinds: [kind], roles: [], isForKeys: false }))
    .with("apiKey", () => ofRoles([]))
    .with("apiKeyAlone", () => ({ kinds: ["apiKey"], roles: [], isForKeys: true }))
    .with("session", () => ({ ...ofRoles([]), isForKeys: false }))
    .otherwise((role) => ofRoles([role]));
}

/** No key carries roles that make keys (docs/design/accounts.md). */
const ofRoles = (roles: readonly Role[]): Requirement => ({
  kinds: ["apiKey", "session"],
  roles,
  isForKeys: roles.every((role) => (keyRoles as readonly Role[]).includes(role)),
});

/** Which of the roles somebody lacks, as a sentence; null: none. `doing` begins it: "Creating service accounts". */
export function whatIsLacking(
  { kind, roles: held }: { readonly kind: CredentialKind; readonly roles: readonly Role[] },
  { roles, isForKeys }: Pick<Requirement, "roles" | "isForKeys">,
  doing = "This",
): string | null {
  if (kind === "apiKey" && !isForKeys)
    return roles.length === 0
      ? `${doing} is for people who are signed in; no key may do it.`
      : `${doing} needs ${named(roles)}, which no key carries. Sign in to do it.`;
  const missing = roles.filter((role) => !held.includes(role));
  if (missing.length === 0) return null;
  const lack = kind === "apiKey" ? "this key does not carry" : "you lack";
  return `${doing} needs ${named(roles)}; ${lack} ${roles.length === 1 ? "it" : missing.join(" and ")}.`;
}

const named = (roles: readonly Role[]): string => `the role${roles.length === 1 ? "" : "s"} ${roles.join(" and ")}`;
