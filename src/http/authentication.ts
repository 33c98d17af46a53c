import { Readable } from "node:stream";
import type { Datasource } from "../events/datasource.js";
import type { Caller } from "../readModels/credentials.js";
import { type CredentialKind, type Role, opens } from "../shared/credential.js";
import type { DatasourceName } from "../shared/ids.js";
import { requirementOf, whatIsLacking, type Access, type Requirement } from "./access.js";
import { credentialOf, type ApiContext, type ApiMiddleware } from "./apiContext.js";
import { refusal, toRefusal, valueOf } from "./envelopes.js";
import { operatorOfThisProcess } from "./operatorCredential.js";
import { csrfToken, isCsrfToken, readSessionCookie } from "./signIn/sessionCookie.js";
import { RefusedRequest } from "./refusedRequest.js";

const credentialNames: { readonly [Kind in CredentialKind]: string } = {
  serviceAccount: "service-account token",
  apiKey: "personal API key",
  session: "session",
};

/**
 * Proves who calls: by a token, or, where the route takes people and no token came, by the cookie of a session.
 * Otherwise 401, and nothing in the answer says what exactly was wrong with a token. A caller who is proven, but lacks
 * a role, gets 403; so does a change by cookie that does not come from a page of ours. Where the log was exchanged,
 * nothing proves anything: 503.
 */
export function authenticated({ access, doing }: Guarded): ApiMiddleware {
  const required = requirementOf(access);
  const prove = async (context: ApiContext): Promise<void> => {
    const credential = await provenCaller(context, required);
    context.state.credential = credential;
    const lacking = credential === operatorOfThisProcess ? null : whatIsLacking(credential, required, doing);
    if (lacking !== null) throw forbidden(lacking);
  };
  return async (context, next) => {
    await prove(context).finally(() => noteUse(context));
    context.state.provenAt = performance.now();
    context.state.proveAgain = () => prove(context);
    return next();
  };
}

/** So much later than a program's proof a body is there as a rule: no push is to pay for two. */
const usualBodyMs = 1_000;

/**
 * Proves the caller again once the body is there: it may have come slowly, and meanwhile the caller may have lost what
 * the request needs. People can give rights back to themselves, so of them it is always asked.
 */
export const provenStill: ApiMiddleware = async (context, next) => {
  const { session, provenAt = 0, proveAgain } = context.state;
  if (session !== undefined || performance.now() - provenAt > usualBodyMs) await proveAgain?.();
  return next();
};

/** So often it is looked whether a caller may still have the rest of an answer. */
const proveAnswerEveryMs = 250;

/**
 * Ends an answer that is a stream, of whatever kind, where its caller loses what the request needs: the connection is
 * cut, so that nobody takes what has come for the whole.
 */
export const provenToTheEnd: ApiMiddleware = async (context, next) => {
  await next();
  const { body, res, state } = context;
  const { proveAgain } = state;
  if (!(body instanceof Readable) || proveAgain === undefined) return;
  const end = (reason: Error): void => {
    body.destroy(reason);
    // What makes the answer may be waiting for something; it hears that nobody takes it.
    res.destroy();
  };
  let timer: NodeJS.Timeout;
  const look = (): void => {
    timer = setTimeout(() => void proveAgain().then(look, end), proveAnswerEveryMs);
  };
  look();
  body.once("close", () => clearTimeout(timer));
};

async function provenCaller(context: ApiContext, required: Requirement): Promise<Caller> {
  if (context.services.isLogExchanged()) throw logExchanged();
  const bySession = context.req.headers.authorization === undefined && required.kinds.includes("session");
  return (bySession ? await proveSession(context) : null) ?? (await proveToken(context, required));
}

function noteUse({ state: { credential, session }, services: { lastUses } }: ApiContext): void {
  if (credential === undefined || credential === operatorOfThisProcess) return;
  lastUses.note(credential.kind, session?.id ?? credential.id);
}

/** A route that not everybody may call. */
interface Guarded {
  readonly access: Exclude<Access, "open">;
  /** What is done there, as the beginning of a sentence. */
  readonly doing?: string;
}

const forbidden = (detail: string): RefusedRequest => new RefusedRequest(refusal(403, detail));

/** Access that was taken away in the other log would still be given by this one. */
const logExchanged = (): RefusedRequest =>
  new RefusedRequest(
    refusal(503, "The file of the event log was exchanged below the service. An operator has to start it again.", {
      "Retry-After": "30",
    }),
  );

/** The session by which the caller is signed in; the operator of this process is in none (403). */
export function sessionOf({ state: { session } }: ApiContext): NonNullable<ApiContext["state"]["session"]> {
  if (session === undefined) throw forbidden("This is for people who are signed in.");
  return session;
}

/** Ends the request of somebody who has not these roles (403). The operator of this process has them. */
export function requireRoles(context: ApiContext, roles: readonly Role[], doing?: string): void {
  const lacking = whatIsLacking(credentialOf(context), requirementOf(roles), doing);
  if (lacking !== null && credentialOf(context) !== operatorOfThisProcess) throw forbidden(lacking);
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
async function bound(context: ApiContext, account: Caller): Promise<Caller> {
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

async function proveToken(context: ApiContext, { kinds }: Requirement): Promise<Caller> {
  const token = bearerToken(context.req.headers.authorization);
  if (token === null)
    throw unauthorized(
      `This API needs the header \`Authorization: Bearer <token>\` with a ${tokensOf(kinds)}${kinds.includes("session") ? ", or somebody who is signed in" : ""}.`,
    );
  const credential = await context.services.queries.authenticate({ credential: token, now: new Date() });
  if (credential === null || !kinds.includes(credential.kind))
    throw unauthorized(`The token is invalid, expired or revoked, or is no ${tokensOf(kinds)}, which this API takes.`);
  return bound(context, credential);
}

/** The tokens that a route takes, for a sentence. */
const tokensOf = (kinds: Requirement["kinds"]): string =>
  kinds
    .filter((kind) => kind !== "session")
    .map((kind) => credentialNames[kind])
    .join(" or ");

/** null where no cookie came. */
async function proveSession(context: ApiContext): Promise<Caller | null> {
  const cookie = readSessionCookie(context);
  if (cookie === null) return null;
  const { id, secret } = cookie.credential;
  const { queries, lastUses, signIn } = context.services;
  const caller = await queries.authenticateSession({
    cookie: cookie.text,
    now: new Date(),
    idleMs: signIn.idleMs,
    lastSeen: lastUses.of("session", id),
  });
  if (caller === null) throw unauthorized("You are not signed in any more. Sign in again.");
  if (!isReading(context.method) && !isCsrfToken(context.get("x-csrf-token"), secret))
    throw forbidden(
      "Whatever changes something needs the header `X-CSRF-Token` with what `GET /api/session` answers as `csrf_token`. Load the page again.",
    );
  context.state.session = { id, csrfToken: csrfToken(secret), expiresAt: caller.expiresAt };
  return caller;
}

/** Whether a request changes nothing, no matter who sends it. */
export const isReading = (method: string): boolean => method === "GET" || method === "HEAD";

/** The token that a request brings; null: none. */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.startsWith("Bearer ")) return header.slice("Bearer ".length).trim() || null;
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? null;
}

export const unauthorized = (detail: string): RefusedRequest =>
  new RefusedRequest(refusal(401, detail, { "WWW-Authenticate": "Bearer" }));

/** Refuses (429) what a credential sends beyond its minute. To come after the proof of who calls. */
export const limitRate: ApiMiddleware = (context, next) => {
  const credential = credentialOf(context);
  const seconds = credential === operatorOfThisProcess ? 0 : context.services.rateLimits.take(credential.id);
  if (seconds === 0) return next();
  throw new RefusedRequest(
    refusal(429, "This credential has sent more requests than it may in a minute. Nothing was done; send it again.", {
      "Retry-After": String(seconds),
    }),
  );
};
