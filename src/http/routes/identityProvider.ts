import { IdentityProviderFailure } from "../../shared/failures.js";
import type { ApiContext } from "../apiContext.js";
import { nothingHere } from "../envelopes.js";
import type { IdentityProvider, SignInAttempt } from "../ports.js";
import { RefusedRequest } from "../refusedRequest.js";
import type { Route } from "../route.js";
import { identityProviderCallback, identityProviderPath, isLocalPath } from "../publicAddresses.js";
import { begin } from "../signIn/signIn.js";
import { setCookie } from "../signIn/sessionCookie.js";

/** Why somebody comes back without being signed in: a word for the page, which has the sentence. */
type SignInFault = IdentityProviderFailure["problem"] | "account_disabled";

const providerOf = ({ services }: ApiContext): IdentityProvider => {
  if (services.signIn.identityProvider === null) throw new RefusedRequest(nothingHere);
  return services.signIn.identityProvider;
};

const begun: Route = {
  method: "GET",
  path: identityProviderPath,
  access: "open",
  async handle(context) {
    const provider = providerOf(context);
    const asked = new URLSearchParams(context.querystring).get("return_to") ?? "/";
    const returnTo = isLocalPath(asked) ? asked : "/";
    await orBack(context, returnTo, async () => {
      const { url, attempt } = await provider.begin();
      keepAttempt(context, { attempt, returnTo });
      return url;
    });
  },
};

const finished: Route = {
  method: "GET",
  path: identityProviderCallback,
  access: "open",
  async handle(context) {
    const provider = providerOf(context);
    const kept = takeAttempt(context);
    await orBack(context, kept?.returnTo ?? "/", async () => {
      if (kept === null) throw new IdentityProviderFailure("attempt_expired", "No sign-in was begun here.");
      const { email, roles } = await provider.finish(context.querystring, kept.attempt);
      await begin(context, { email, method: "identityProvider", roles });
      return kept.returnTo;
    });
  },
};

/** Sends the browser on; where that fails, back to the page that it came from, with a word that says why. */
async function orBack(context: ApiContext, returnTo: string, next: () => Promise<string>): Promise<void> {
  const location = await next().catch((error: unknown) => {
    const fault = faultOf(error);
    if (fault === null) throw error;
    return withFault(returnTo, fault);
  });
  context.redirect(location);
  context.status = 303;
  context.set("Referrer-Policy", "no-referrer");
}

function faultOf(error: unknown): SignInFault | null {
  if (error instanceof IdentityProviderFailure) return error.problem;
  return error instanceof RefusedRequest && error.refusal.status === 403 ? "account_disabled" : null;
}

function withFault(path: string, fault: SignInFault): string {
  const [rest = "", fragment] = path.split("#");
  const address = `${rest}${rest.includes("?") ? "&" : "?"}sign_in_fault=${fault}`;
  return fragment === undefined ? address : `${address}#${fragment}`;
}

/** For people on their way to the identity provider and back: browsers go here, and no program does. */
export const identityProviderRoutes: readonly Route[] = [begun, finished];

/** What a browser keeps while its person is at the identity provider. */
interface KeptAttempt {
  readonly attempt: SignInAttempt;
  /** Where the person wanted to go. */
  readonly returnTo: string;
}

const lifetimeMs = 10 * 60_000;
/** The provider sends the person back from another site, and `Strict` would leave it out then. */
const options = { path: identityProviderPath, sameSite: "lax" } as const;

const nameIn = ({ services: { productName } }: ApiContext): string => `${productName}_sign_in`;

/** Keeps it in the browser, for ten minutes. A later attempt takes its place. */
function keepAttempt(context: ApiContext, { attempt, returnTo }: KeptAttempt): void {
  const { state, nonce, codeVerifier } = attempt;
  const text = Buffer.from(JSON.stringify([state, nonce, codeVerifier, returnTo])).toString("base64url");
  setCookie(context, nameIn(context), text, { ...options, maxAge: lifetimeMs });
}

/** What was kept, once: it is taken away. null where there is nothing, or nothing of ours. */
function takeAttempt(context: ApiContext): KeptAttempt | null {
  const text = context.cookies.get(nameIn(context));
  if (text === undefined) return null;
  setCookie(context, nameIn(context), null, options);
  const [state, nonce, codeVerifier, returnTo] = listIn(text);
  if (state === undefined || nonce === undefined || codeVerifier === undefined || returnTo === undefined) return null;
  return { attempt: { state, nonce, codeVerifier }, returnTo: isLocalPath(returnTo) ? returnTo : "/" };
}

function listIn(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(list) && list.every((part) => typeof part === "string") ? list : [];
  } catch {
    return [];
  }
}
