import { createHmac } from "node:crypto";
import { parseCredential, type Credential, isSameSecret } from "../../shared/credential.js";
import type { ApiContext } from "../apiContext.js";
import { refusal } from "../envelopes.js";
import { publicOrigin } from "../publicAddresses.js";
import { RefusedRequest } from "../refusedRequest.js";

/** What the browser of somebody who is signed in holds. */
interface SessionCookie {
  /** The cookie as it was sent. */
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

const markNameIn = ({ services: { productName } }: ApiContext): string => `${productName}_browser`;
const markPath = "/api/session";
const markLifetimeMs = 180 * 24 * 60 * 60_000;

/** What the browser is known by to an account; undefined: it has nothing. It proves nothing by itself. */
export const readBrowserMark = (context: ApiContext): string | undefined => context.cookies.get(markNameIn(context));

/** For half a year, also once the session has ended: nobody is signed in by it. */
export function setBrowserMark(context: ApiContext, mark: string): void {
  setCookie(context, markNameIn(context), mark, { path: markPath, sameSite: "strict", maxAge: markLifetimeMs });
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

/**
 * Refuses a sign-in that a page of another site has begun: it could sign a person in as somebody else, who then reads
 * what that person asks. Programs say neither where they come from nor what they are, and are none of it.
 */
export function refuseCrossSite(context: ApiContext): void {
  const { origin, "sec-fetch-site": site } = context.req.headers;
  // No page can make a browser say another site than its own; the origin looks foreign behind a proxy that takes https.
  const isOurs =
    site === undefined
      ? origin === undefined || origin === publicOrigin(context) || origin === `${context.protocol}://${context.host}`
      : site === "same-origin" || site === "none";
  if (isOurs) return;
  throw new RefusedRequest(
    refusal(403, "People sign in on the pages of this service, and this request comes from those of another one."),
  );
}

/**
 * What a page has to send with whatever changes something, besides its cookie: other sites can make a browser send the
 * cookie, but cannot know this. It follows from the session's secret alone, so it is stored nowhere.
 */
export const csrfToken = (sessionSecret: string): string =>
  createHmac("sha256", sessionSecret).update("csrf").digest("base64url");

/** Whether a page sent that of its session. */
export const isCsrfToken = (given: string | undefined, sessionSecret: string): boolean =>
  isSameSecret(given ?? "", csrfToken(sessionSecret));
