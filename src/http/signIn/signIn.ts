import { toCredentialId, type Email } from "../../shared/ids.js";
import type { CommandContext, Commands } from "../../../commands/commands.js";
import { parseCredential } from "../../shared/credential.js";
import type { SessionCaller } from "../../readModels/credentials.js";
import type { ApiContext } from "../apiContext.js";
import { refusal, valueOf } from "../envelopes.js";
import type { SessionAnswer } from "../messages/session.js";
import { RefusedRequest } from "../refusedRequest.js";
import { csrfToken } from "./csrf.js";
import { readSessionCookie, setSessionCookie } from "./sessionCookie.js";

type StartSession = Parameters<Commands["startSession"]>[0];
/** How somebody proves who they are. */
export type SignIn = StartSession extends infer Started
  ? Started extends StartSession
    ? Omit<Started, "lifetimeMs">
    : never
  : never;

/** Somebody who signs in acts for themselves. */
export const actingFor = ({ state, res }: ApiContext, email: Email): CommandContext => ({
  by: toCredentialId(email),
  correlationId: state.requestId,
  allowedDatasources: null,
  isAbandoned: () => res.closed,
});

/**
 * Signs somebody in: a session of a new id begins, the one that this browser had ends, and the new cookie goes to the
 * browser. Waits, boundedly, until the session counts in this process.
 */
export async function begin(context: ApiContext, signIn: SignIn): Promise<SessionAnswer> {
  const { commands, productName, signIn: settings, waitUntilProjected } = context.services;
  const asked = { ...signIn, lifetimeMs: settings.lifetimeMs } as StartSession;
  const before = await sessionBefore(context);
  const started = valueOf(await commands.startSession(asked, actingFor(context, signIn.email)));
  const ended =
    before === null
      ? null
      : valueOf(await commands.endSession({ id: before.sessionId }, actingFor(context, before.email)));
  const position = ended?.position ?? started.position;
  if (position !== null) await waitUntilProjected(position);
  const { value } = started;
  setSessionCookie(context, value.credential);
  const secret = parseCredential(value.credential, productName)?.secret ?? "";
  return toSessionAnswer(context, { ...value, csrfToken: csrfToken(secret) });
}

/** The session by which the browser that signs in was signed in already. */
async function sessionBefore(context: ApiContext): Promise<SessionCaller | null> {
  const { queries, signIn } = context.services;
  const cookie = readSessionCookie(context);
  return cookie === null
    ? null
    : queries.authenticateSession({ cookie: cookie.text, now: new Date(), idleMs: signIn.idleMs });
}

/** Who is signed in, as pages are told. */
export const toSessionAnswer = (
  { services: { productName, signIn } }: ApiContext,
  person: {
    readonly email: string;
    readonly roles: readonly SessionAnswer["roles"][number][];
    readonly csrfToken: string;
    readonly expiresAt: string;
  },
): SessionAnswer => ({
  email: person.email,
  roles: [...person.roles],
  csrf_token: person.csrfToken,
  expires_at: person.expiresAt,
  product: productName,
  identity_provider: signIn.identityProvider !== null,
});

/**
 * Counts what is tried with an account and from an address, and refuses it (429) where too much of it has failed. Who is
 * told that a new password will not do has proven who they are. What could not be looked at has not failed: while the
 * log is away everybody tries again and again.
 */
export async function limited<Value>(context: ApiContext, email: Email, attempt: () => Promise<Value>): Promise<Value> {
  const counted = context.services.signIn.limits.begin(email, context.ip);
  if (typeof counted === "number")
    throw new RefusedRequest(
      refusal(429, "Too many sign-ins have failed. Wait before you try again; `Retry-After` says how many seconds.", {
        "Retry-After": String(counted),
      }),
    );
  try {
    const value = await attempt();
    counted.succeeded();
    return value;
  } catch (error) {
    const status = error instanceof RefusedRequest ? error.refusal.status : null;
    if (status === 422) counted.succeeded();
    else if (status !== 401 && status !== 403) counted.withdrawn();
    throw error;
  }
}
