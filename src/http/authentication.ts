import type { Queries } from "../../queries/queries.js";
import type { CredentialRecord } from "../readModels/credentials.js";
import type { Role } from "../shared/credential.js";
import { RefusedRequest } from "./answer.js";
import { errorAnswer } from "./envelopes.js";

/**
 * Who may call a route: anyone, who holds the kind of credential that its API takes (spec: Authentication), or who
 * holds a personal key that was made for this role.
 */
export type Access = "open" | CredentialRecord["kind"] | Role;

/** The kind of credential that a route takes, and the role that it has to be made for. */
export function requirementOf(access: Exclude<Access, "open">): {
  readonly kind: CredentialRecord["kind"];
  readonly role: Role | null;
} {
  return access === "serviceAccount" || access === "apiKey"
    ? { kind: access, role: null }
    : { kind: "apiKey", role: access };
}

const credentialNames: { readonly [Kind in CredentialRecord["kind"]]: string } = {
  serviceAccount: "service-account token",
  apiKey: "personal API key",
};

/**
 * The credential that the header proves; otherwise 401, and nothing in the answer says what exactly was wrong with a
 * token. A key that proves its person, but lacks the role, is 403.
 */
export async function authenticate(
  header: string | undefined,
  access: Exclude<Access, "open">,
  queries: Queries,
): Promise<CredentialRecord> {
  const { kind, role } = requirementOf(access);
  const credential = await prove(header, kind, queries);
  if (role === null || credential.roles.includes(role)) return credential;
  throw roleMissing(role);
}

/** What a key gets that was made without this role. */
export const roleMissing = (role: Role): RefusedRequest =>
  new RefusedRequest(
    errorAnswer(403, `This API takes personal API keys that were made for the role "${role}"; this one was not.`),
  );

async function prove(
  header: string | undefined,
  kind: CredentialRecord["kind"],
  queries: Queries,
): Promise<CredentialRecord> {
  const token = bearerToken(header);
  if (token === null)
    throw unauthorized(`This API needs the header \`Authorization: Bearer <token>\` with a ${credentialNames[kind]}.`);
  const credential = await queries.authenticate({ credential: token, now: new Date() });
  if (credential !== null && credential.kind === kind) return credential;
  throw unauthorized(
    `The token is invalid, expired or revoked, or is no ${credentialNames[kind]}, which this API takes.`,
  );
}

function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.startsWith("Bearer ")) return header.slice("Bearer ".length).trim() || null;
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? null;
}

const unauthorized = (detail: string): RefusedRequest =>
  new RefusedRequest(errorAnswer(401, detail, ["WWW-Authenticate", "Bearer"]));
