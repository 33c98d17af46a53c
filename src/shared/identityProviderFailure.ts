/**
 * Why nobody could be signed in: the provider does not answer, or does not know this service; it did not prove the person;
 * the answer fits no attempt; or it does not vouch for the email.
 */
export type IdentityProviderProblem =
  "provider_unavailable" | "provider_refused" | "attempt_expired" | "email_not_verified";

/** Thrown where an identity provider proves nobody. `message` is a sentence without anything of the answer. */
export class IdentityProviderFailure extends Error {
  override readonly name = "IdentityProviderFailure";

  constructor(
    readonly problem: IdentityProviderProblem,
    message: string,
  ) {
    super(message);
  }
}
