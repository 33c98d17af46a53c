import type { ProvenPerson } from "../../http/ports.js";
import { toEmail } from "../../shared/ids.js";
import { IdentityProviderFailure } from "../../shared/identityProviderFailure.js";
import { roles, type Role } from "../../shared/credential.js";
import { isAddress } from "../../shared/ids.js";

/** What a provider says of a person, by name. */
export type Claims = Readonly<Record<string, unknown>>;

const longestEmail = 254;

/**
 * The person of these claims. The email counts where the provider has verified it and nowhere else: anybody may write
 * somebody else's into their profile.
 */
export function provenPerson(claims: Claims, rolesClaim: string | null): ProvenPerson {
  const { email: given } = claims;
  const isVouchedFor = typeof given === "string" && claims["email_verified"] === true && isAsWritten(given);
  const email = toEmail(isVouchedFor ? given : "");
  if (!isAddress(email) || email.length > longestEmail)
    throw new IdentityProviderFailure(
      "email_not_verified",
      "The identity provider does not vouch for an email of this person: `email` is missing, or `email_verified` is not true.",
    );
  return { email, roles: rolesClaim === null ? null : rolesIn(claims, rolesClaim) };
}

/** What only looks like an email may be another mailbox, and that is the one that the provider has verified. */
const isAsWritten = (email: string): boolean => toEmail(email) === email.normalize("NFC").trim().toLowerCase();

/** What the token says, and userinfo besides. No answer vouches for an email that only the other one tells. */
export function withUserInfo(told: Claims, userInfo: Claims): Claims {
  const { email_verified: verified, ...rest } = told;
  const isSame = userInfo["email"] === undefined || userInfo["email"] === told["email"];
  return { ...rest, ...(isSame && { email_verified: verified }), ...userInfo };
}

/** Whether both the email and the roles are told, so that nothing has to be asked for. */
export const areComplete = (claims: Claims, rolesClaim: string | null): boolean =>
  claims["email"] !== undefined && (rolesClaim === null || claimAt(claims, rolesClaim) !== undefined);

/** Those of our roles that the claim names, as a list or as words with spaces between. Others are somebody else's. */
function rolesIn(claims: Claims, rolesClaim: string): readonly Role[] {
  const claim = claimAt(claims, rolesClaim);
  const named: readonly unknown[] =
    typeof claim === "string" ? claim.split(/[ ,]+/) : Array.isArray(claim) ? claim : [];
  const words = new Set(named.flatMap((name) => (typeof name === "string" ? [name.toLowerCase()] : [])));
  return roles.filter((role) => words.has(role));
}

/** A claim by its name, which may hold dots; or, where there is none of it, one inside others. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split(".")
    .reduce<unknown>(
      (within, part) =>
        typeof within === "object" && within !== null && Object.hasOwn(within, part)
          ? (within as Claims)[part]
          : undefined,
      claims,
    );
}
