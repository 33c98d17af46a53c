import type { ApiContext } from "../apiContext.js";
import type { SignInAttempt } from "../ports.js";
import { identityProviderPath, isLocalPath } from "./addresses.js";
import { setCookie } from "./sessionCookie.js";

/** What a browser keeps while its person is at the identity provider. */
export interface KeptAttempt {
  readonly attempt: SignInAttempt;
  /** Where the person wanted to go. */
  readonly returnTo: string;
}

const lifetimeMs = 10 * 60_000;
/** The provider sends the person back from another site, and `Strict` would leave it out then. */
const options = { path: identityProviderPath, sameSite: "lax" } as const;

const nameIn = ({ services: { productName } }: ApiContext): string => `${productName}_sign_in`;

/** Keeps it in the browser, for ten minutes. A later attempt takes its place. */
export function keepAttempt(context: ApiContext, { attempt, returnTo }: KeptAttempt): void {
  const { state, nonce, codeVerifier } = attempt;
  const text = Buffer.from(JSON.stringify([state, nonce, codeVerifier, returnTo])).toString("base64url");
  setCookie(context, nameIn(context), text, { ...options, maxAge: lifetimeMs });
}

/** What was kept, once: it is taken away. null where there is nothing, or nothing of ours. */
export function takeAttempt(context: ApiContext): KeptAttempt | null {
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
