import { parseCredential, type Credential } from "../../shared/credential.js";
import type { ApiContext } from "../apiContext.js";

/** What the browser of somebody who is signed in holds. */
export interface SessionCookie {
  /** As it was sent. */
  readonly text: string;
  readonly credential: Credential;
}

const nameIn = ({ services: { productName } }: ApiContext): string => `${productName}_session`;

/** null where there is none, or none of ours. It proves nothing by itself. */
export function readSessionCookie(context: ApiContext): SessionCookie | null {
  const text = context.cookies.get(nameIn(context));
  const credential = text === undefined ? null : parseCredential(text, context.services.productName);
  return text === undefined || credential === null ? null : { text, credential };
}

/** Until the browser ends, or the session does. */
export function setSessionCookie(context: ApiContext, text: string): void {
  setCookie(context, nameIn(context), text, { path: "/", sameSite: "strict" });
}

/** Takes it from the browser. */
export function clearSessionCookie(context: ApiContext): void {
  setCookie(context, nameIn(context), null, { path: "/", sameSite: "strict" });
}

interface CookieOptions {
  readonly path: string;
  readonly sameSite: "strict" | "lax";
  readonly maxAge?: number;
}

/**
 * A cookie that no script reads, and that leaves by https alone where people reach the service so: where the request
 * came by it, or `PUBLIC_URL` says so. null takes it away.
 */
export function setCookie(context: ApiContext, name: string, value: string | null, options: CookieOptions): void {
  const secure = context.secure || context.services.publicUrl?.startsWith("https:") === true;
  // A proxy may have taken the https away, and the library refuses such cookies on what is left.
  context.cookies.secure = secure;
  context.cookies.set(name, value, { ...options, httpOnly: true, secure, overwrite: true });
}
