import { credentialOf, type ApiMiddleware } from "../apiContext.js";
import { refusal } from "../envelopes.js";
import { operatorOfThisProcess } from "../operatorCredential.js";
import { RefusedRequest } from "../refusedRequest.js";

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
