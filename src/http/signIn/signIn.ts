import { createValidate, json, type tags } from "typia";
import { toCredentialId, type Email } from "../../shared/ids.js";
import type { CommandContext, Commands } from "../../../commands/commands.js";
import { parseCredential, type Role } from "../../shared/credential.js";
import type { SessionCaller } from "../../readModels/credentials.js";
import type { ApiContext } from "../apiContext.js";
import { refusal, valueOf } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import { csrfToken, readBrowserMark, readSessionCookie, setBrowserMark, setSessionCookie } from "./sessionCookie.js";
import type { CountedAttempt } from "./signInLimits.js";
import type { MaxCharacters } from "../validation/characters.js";
import { answerMessage, bodyMessage } from "../validation/message.js";
import type { EmailText } from "../messages/names.js";

type StartSession = Parameters<Commands["startSession"]>[0];

/** How somebody proves who they are. */
type SignIn = StartSession extends infer Started
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
  if (value.browserMark !== null) setBrowserMark(context, value.browserMark);
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

/** The account that is signed in, as pages see it. */
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
 * Counts sign-ins with an account and from an address, and refuses them (429) where too many have failed. A person
 * whose new password is refused has proven who they are. An attempt that could not be checked has not failed: while the
 * log is away everybody tries again and again.
 */
export async function limited<Value>(context: ApiContext, email: Email, attempt: () => Promise<Value>): Promise<Value> {
  const counted = await beginAttempt(context, email);
  if (typeof counted === "number") throw tooManyFailed(counted);
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

/** Where too much has failed elsewhere, a browser that the account knows is counted by itself. */
async function beginAttempt(context: ApiContext, email: Email): Promise<CountedAttempt | number> {
  const { commands, signIn } = context.services;
  const counted = signIn.limits.begin(email, context.ip);
  const mark = typeof counted === "number" ? readBrowserMark(context) : undefined;
  if (mark === undefined || !(await commands.knowsBrowser({ email, mark }))) return counted;
  return signIn.limits.beginKnown(mark);
}

const tooManyFailed = (seconds: number): RefusedRequest =>
  new RefusedRequest(
    refusal(429, "Too many sign-ins have failed. Wait before you try again; `Retry-After` says how many seconds.", {
      "Retry-After": String(seconds),
    }),
  );

/**
 * Refuses (429) the body of an address from which too much has failed, before it is read; and counts one that is
 * refused as a sign-in that has failed.
 */
export async function refuseWhoFailed<Value>(context: ApiContext, read: () => Promise<Value>): Promise<Value> {
  const { limits } = context.services.signIn;
  const wait = limits.waitOf(context.ip);
  if (wait > 0) throw tooManyFailed(wait);
  try {
    return await read();
  } catch (error) {
    if (error instanceof RefusedRequest) limits.noteFailure(context.ip);
    throw error;
  }
}

/** Whether it is long enough is said with the other rules of passwords; no longer text is looked at. */
type PasswordText = string & tags.MinLength<1> & MaxCharacters<1024>;

type LinkSecret = string & tags.MinLength<1> & MaxCharacters<256>;

/** Body of `POST /api/session`. */
interface SignInMessage {
  email: EmailText;
  password: PasswordText;
}

export const signInMessage = bodyMessage(json.schema<SignInMessage>(), createValidate<SignInMessage>());

/** Body of `POST /api/session/link`. */
interface UseLinkMessage {
  email: EmailText;
  /** The secret of the link. */
  secret: LinkSecret;
  /** The password to sign in with from now on. */
  password: PasswordText;
}

export const useLinkMessage = bodyMessage(json.schema<UseLinkMessage>(), createValidate<UseLinkMessage>());

/** Body of `POST /api/session/password`. */
interface ChangePasswordMessage {
  current: PasswordText;
  new: PasswordText;
}

export const changePasswordMessage = bodyMessage(
  json.schema<ChangePasswordMessage>(),
  createValidate<ChangePasswordMessage>(),
);

/** The account that is signed in. */
export interface SessionAnswer {
  email: string;
  roles: Role[];
  /** What a page sends as `X-CSRF-Token` with whatever changes something. */
  csrf_token: string;
  /** From then on one has to sign in again, whatever one does. */
  expires_at: string;
  /** What the product is called. */
  product: string;
  /** Whether an identity provider is set up. */
  identity_provider: boolean;
}

export const sessionAnswer = answerMessage(json.schema<SessionAnswer>());

/** Answer of `GET /api/session/options`: what a form to sign in has to know. */
export interface SessionOptionsAnswer {
  product: string;
  /** Whether people may sign in at an identity provider. */
  identity_provider: boolean;
  /** Whether nobody has an account yet. */
  needs_first_account: boolean;
}

export const sessionOptionsAnswer = answerMessage(json.schema<SessionOptionsAnswer>());
