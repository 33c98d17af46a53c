import { match } from "ts-pattern";
import type { Queries } from "../../../queries/queries.js";
import type { Datasource } from "../../events/datasource.js";
import type { CredentialRecord } from "../../readModels/credentials.js";
import type { Role } from "../../shared/credential.js";
import { opens } from "../../shared/datasourceLimit.js";
import type { DatasourceName } from "../../shared/ids.js";
import { credentialOf, type ApiContext, type ApiMiddleware } from "../apiContext.js";
import { refusal, toRefusal, valueOf } from "../envelopes.js";
import { operatorOfThisProcess } from "../operatorCredential.js";
import { RefusedRequest } from "../refusedRequest.js";

/**
 * Who may call a route. `open`: anyone. A kind of credential: the holders of that kind (spec: Authentication). A
 * role: whoever holds a personal key that was made for it. `operatorOfThisProcess`: whoever has started this process,
 * and nobody who holds a key.
 */
export type Access = "open" | CredentialRecord["kind"] | Role | "operatorOfThisProcess";

/** The kind of credential that a route takes, and the role that it has to be made for. */
export function requirementOf(access: Exclude<Access, "open">): {
  readonly kind: CredentialRecord["kind"];
  readonly role: Role | null;
} {
  return match(access)
    .with("serviceAccount", "apiKey", (kind) => ({ kind, role: null }))
    .with("operatorOfThisProcess", () => ({ kind: "apiKey", role: "operator" }) as const)
    .otherwise((role) => ({ kind: "apiKey", role }) as const);
}

const credentialNames: { readonly [Kind in CredentialRecord["kind"]]: string } = {
  serviceAccount: "service-account token",
  apiKey: "personal API key",
};

/**
 * Proves who calls. Otherwise 401, and nothing in the answer says what exactly was wrong with a token. A key that
 * proves its person, but lacks the role, is 403. Where the log was exchanged, nothing proves anything: 503.
 */
export function authenticated(access: Exclude<Access, "open">): ApiMiddleware {
  const { kind, role } = requirementOf(access);
  return async (context, next) => {
    if (context.services.isLogExchanged()) throw logExchanged();
    const proven = await prove(context.req.headers.authorization, kind, context.services.queries);
    const credential = await bound(context, proven);
    context.state.credential = credential;
    if (role !== null) requireRole(context, role);
    if (access === "operatorOfThisProcess" && credential !== operatorOfThisProcess) throw notForKeys();
    return next();
  };
}

/** Access that was taken away in the other log would still be given by this one. */
const logExchanged = (): RefusedRequest =>
  new RefusedRequest(
    refusal(503, "The file of the event log was exchanged below the service. An operator has to start it again.", {
      "Retry-After": "30",
    }),
  );

/** A key that could make keys could make itself an auditor's. */
const notForKeys = (): RefusedRequest =>
  new RefusedRequest(
    refusal(
      403,
      "Credentials are made, listed and revoked on the command line, on the machine of the data folder; no key may do so.",
    ),
  );

/** Ends the request of a key that was not made for this role (403). */
export function requireRole(context: ApiContext, role: Role): void {
  if (credentialOf(context).roles.includes(role)) return;
  throw new RefusedRequest(
    refusal(403, `This API takes personal API keys that were made for the role "${role}"; this one was not.`),
  );
}

/** Whether a service account is made for this datasource: for the incarnation, not only for the name. */
export const mayUse = (
  context: ApiContext,
  { name, datasourceId }: Pick<Datasource, "name" | "datasourceId">,
): boolean => opens(credentialOf(context).datasources, name, datasourceId);

/** The same by name, for reads. A name that no datasource bears now is allowed as it stands in the limits. */
export async function mayUseNamed(context: ApiContext): Promise<(datasource: DatasourceName) => boolean> {
  const limits = credentialOf(context).datasources;
  if (limits === null) return () => true;
  const { atLeast } = context.state;
  const known = valueOf(await context.services.queries.listDatasources({ atLeast }));
  return (datasource) => opens(limits, datasource, known.find(({ name }) => name === datasource)?.datasourceId);
}

/** Ends a read of a datasource that the service account is not made for (403). */
export async function requireDatasource(context: ApiContext, datasource: DatasourceName): Promise<void> {
  if (opens(credentialOf(context).datasources, datasource) && (await mayUseNamed(context))(datasource)) return;
  throw new RefusedRequest(toRefusal({ type: "DatasourceForbidden", datasource }));
}

/**
 * The account with limits that named a datasource before it was there, and that there is now: from this request on they
 * open that incarnation and no later one.
 */
async function bound(context: ApiContext, account: CredentialRecord): Promise<CredentialRecord> {
  const unbound = account.datasources?.filter(({ datasourceId }) => datasourceId === null) ?? [];
  if (unbound.length === 0) return account;
  const { queries, commands } = context.services;
  const known = valueOf(await queries.listDatasources({ atLeast: null }));
  const names = unbound.map(({ name }) => name).filter((name) => known.some((datasource) => datasource.name === name));
  if (names.length === 0) return account;
  const by = { by: account.id, correlationId: context.state.requestId, allowedDatasources: null };
  const { value: datasources } = valueOf(await commands.bindServiceAccount({ id: account.id, names }, by));
  return { ...account, datasources };
}

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

/** The token that a request brings; null: none. */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.startsWith("Bearer ")) return header.slice("Bearer ".length).trim() || null;
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? null;
}

export const unauthorized = (detail: string): RefusedRequest =>
  new RefusedRequest(refusal(401, detail, { "WWW-Authenticate": "Bearer" }));
