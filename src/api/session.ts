import { roles as allRoles } from "../shared/credential.js";
import { toEmail, type Email } from "../shared/ids.js";
import { commandContextOf, credentialOf, personOf, type ApiContext } from "../http/apiContext.js";
import { jsonBody } from "../http/body/jsonBody.js";
import { writtenBy } from "../http/commandRoute.js";
import { toRefusal, valueOf } from "../http/envelopes.js";
import { doneAnswer, type DoneAnswer } from "../http/messages/errors.js";
import {
  changePasswordMessage,
  sessionAnswer,
  sessionOptionsAnswer,
  signInMessage,
  useLinkMessage,
  type SessionAnswer,
  type SessionOptionsAnswer,
  actingFor,
  begin,
  limited,
  toSessionAnswer,
} from "../http/signIn/signIn.js";
import { sessionOf } from "../http/authentication.js";
import { RefusedRequest } from "../http/refusedRequest.js";
import { route } from "../http/route.js";
import { refuseCrossSite, clearSessionCookie } from "../http/signIn/sessionCookie.js";

const tag = "Session";
const tooMany =
  "Too many sign-ins have failed: 10 of the account at the address, 100 of the account, or 100 of the address, in a quarter of an hour. A browser in which the account's person has signed in before has 10 of its own.";

const crossSite = "The request comes from a page of another site.";
const example: SessionAnswer = {
  email: "ada@example.org",
  roles: ["administrator", "developer"],
  csrf_token: "…",
  expires_at: "2026-01-12T21:00:00.000Z",
  product: "amber",
  identity_provider: false,
};

const signedIn = { description: "Signed in.", schema: sessionAnswer, example };
const done = { schema: doneAnswer, example: { status: "ok" } satisfies DoneAnswer };

const signIn = route({
  method: "POST",
  path: "/api/session",
  access: "open",
  body: jsonBody(signInMessage),
  async handle(context, { body: { email: given, password } }) {
    refuseCrossSite(context);
    const email = toEmail(given);
    context.body = await limited(context, email, () => begin(context, { email, method: "password", password }));
  },
  description: {
    tag,
    summary: "Sign in with a password",
    description:
      "The answer sets a cookie that no script reads, and that counts where personal keys do. Whether there is such an account is told by nothing.",
    example: { email: "ada@example.org", password: "five words that only Ada knows" },
    success: signedIn,
    failures: {
      401: "There is no such account, it cannot be used, or the password is another.",
      403: crossSite,
      429: tooMany,
      503: "The log does not answer at the moment. See Retry-After.",
    },
  },
});

const signInByLink = route({
  method: "POST",
  path: "/api/session/link",
  access: "open",
  body: jsonBody(useLinkMessage),
  async handle(context, { body: { email: given, secret, password } }) {
    refuseCrossSite(context);
    const email = toEmail(given);
    context.body = await limited(context, email, async () => {
      const putBack = context.services.signIn.firstAccount.take(secret);
      if (putBack === null) return begin(context, { email, method: "link", secret, password });
      await createFirstAccount(context, email, password).catch((error: unknown) => {
        putBack();
        throw error;
      });
      return begin(context, { email, method: "password", password });
    });
  },
  description: {
    tag,
    summary: "Set a password with a link, and sign in",
    description:
      "Takes the `email` and the `secret` behind the `#` of a one-time link. With the link that the service's log shows while nobody has an account, it creates the first one, with all roles.",
    example: { email: "ada@example.org", secret: "…", password: "five words that only Ada knows" },
    success: signedIn,
    failures: {
      403: `The link was used, replaced, or is too old; the account is disabled; or: ${crossSite}`,
      409: "There is an account for this email already.",
      429: tooMany,
      503: "The log does not answer at the moment. See Retry-After.",
    },
  },
});

/** A person who holds the link holds the machine: the link gives all roles, once. */
async function createFirstAccount(context: ApiContext, email: Email, password: string): Promise<void> {
  const { commands, signIn: settings } = context.services;
  if (await settings.hasAccounts()) throw new RefusedRequest(toRefusal({ type: "AccountLinkInvalid" }));
  const asked = { email, roles: allRoles, origin: "firstStart", password } as const;
  valueOf(await commands.createAccount(asked, actingFor(context, email)));
}

const whoIsSignedIn = route({
  method: "GET",
  path: "/api/session",
  access: "session",
  handle(context) {
    const { email, roles } = credentialOf(context);
    context.body = toSessionAnswer(context, { ...sessionOf(context), email: email ?? "", roles });
  },
  description: {
    tag,
    summary: "Who is signed in",
    description: "And what a page needs for requests that change something: `csrf_token`, sent as `X-CSRF-Token`.",
    success: { description: "Somebody is.", schema: sessionAnswer, example },
  },
});

const options = route({
  method: "GET",
  path: "/api/session/options",
  access: "open",
  async handle(context) {
    const { productName, signIn: settings } = context.services;
    context.body = {
      product: productName,
      identity_provider: settings.identityProvider !== null,
      needs_first_account: !(await settings.hasAccounts()),
    } satisfies SessionOptionsAnswer;
  },
  description: {
    tag,
    summary: "How people sign in",
    success: {
      description: "What a form to sign in has to know.",
      schema: sessionOptionsAnswer,
      example: {
        product: "amber",
        identity_provider: false,
        needs_first_account: false,
      } satisfies SessionOptionsAnswer,
    },
    failures: { 503: "Which accounts there are is not known at the moment. See Retry-After." },
  },
});

const changePassword = route({
  method: "POST",
  path: "/api/session/password",
  access: "session",
  body: jsonBody(changePasswordMessage),
  async handle(context, { body: { current, new: password } }) {
    sessionOf(context);
    const email = personOf(context);
    const { commands } = context.services;
    context.body = await limited(context, email, async () => {
      const asked = { email, password, proof: { kind: "current", password: current } } as const;
      valueOf(await commands.setPassword(asked, commandContextOf(context)));
      return begin(context, { email, method: "password", password });
    });
  },
  description: {
    tag,
    summary: "Change one's own password",
    description: "All of one's sessions end, and this browser gets a new one: `csrf_token` is another from then on.",
    example: { current: "five words that only Ada knows", new: "five other words for Ada alone" },
    success: { ...signedIn, description: "Changed." },
    failures: { 403: "The present password is another one." },
  },
});

const signOut = route({
  method: "DELETE",
  path: "/api/session",
  access: "session",
  async handle(context) {
    const { id } = sessionOf(context);
    await writtenBy(context, (commands, by) => commands.endSession({ id }, by));
    leave(context);
  },
  description: { tag, summary: "Sign out", success: { ...done, description: "Signed out of this session." } },
});

const signOutEverywhere = route({
  method: "DELETE",
  path: "/api/session/everywhere",
  access: "session",
  async handle(context) {
    sessionOf(context);
    const email = personOf(context);
    await writtenBy(context, (commands, by) => commands.endSessions({ email }, by));
    leave(context);
  },
  description: {
    tag,
    summary: "Sign out everywhere",
    success: { ...done, description: "None of one's sessions counts any more." },
  },
});

function leave(context: ApiContext): void {
  clearSessionCookie(context);
  context.body = { status: "ok" } satisfies DoneAnswer;
}

/** Signing in and out. */
export const sessionRoutes = [signIn, whoIsSignedIn, signOut, signOutEverywhere, options, signInByLink, changePassword];
