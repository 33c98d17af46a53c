import type { ApiContext } from "../apiContext.js";
import { refusal } from "../envelopes.js";
import { publicOrigin } from "../publicOrigin.js";
import { RefusedRequest } from "../refusedRequest.js";

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
