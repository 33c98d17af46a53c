import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * What a page has to send with whatever changes something, besides its cookie: other sites can make a browser send the
 * cookie, but cannot know this. It follows from the session's secret alone, so it is stored nowhere.
 */
export const csrfToken = (sessionSecret: string): string =>
  createHmac("sha256", sessionSecret).update("csrf").digest("base64url");

/** Whether a page sent that of its session. Takes the same time wherever two differ. */
export function isCsrfToken(given: string | undefined, sessionSecret: string): boolean {
  const expected = Buffer.from(csrfToken(sessionSecret));
  const sent = Buffer.from(given ?? "");
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
