import type { Queries } from "../../queries/queries.js";
import type { CredentialRecord } from "../readModels/credentials.js";
import { RefusedRequest } from "./answer.js";
import { errorAnswer } from "./envelopes.js";

/** Who may call a route: anyone, or who holds the kind of credential that its API takes (spec: Authentication). */
export type Access = "open" | CredentialRecord["kind"];

const credentialNames: { readonly [Kind in CredentialRecord["kind"]]: string } = {
  serviceAccount: "service-account token",
  apiKey: "personal API key",
};

/** The credential that the header proves; otherwise 401. Nothing in the answer says what exactly was wrong with a token. */
export async function authenticate(header: string | undefined, kind: CredentialRecord["kind"], queries: Queries): Promise<CredentialRecord> {
  const token = bearerToken(header);
  if (token === null) throw unauthorized(`This API needs the header \`Authorization: Bearer <token>\` with a ${credentialNames[kind]}.`);
  const credential = await queries.authenticate(token, new Date());
  if (credential !== null && credential.kind === kind) return credential;
  throw unauthorized(`The token is invalid, expired or revoked, or is no ${credentialNames[kind]}, which this API takes.`);
}

function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.startsWith("Bearer ")) return header.slice("Bearer ".length).trim() || null;
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? null;
}

const unauthorized = (detail: string): RefusedRequest => new RefusedRequest(errorAnswer(401, detail, ["WWW-Authenticate", "Bearer"]));
