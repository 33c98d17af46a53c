import type { AccountState } from "./account.js";

/** Why somebody may set an account's password. */
export type PasswordProof =
  | { readonly kind: "link"; readonly secretSha256: string; readonly now: Date }
  /** The hash that the present password was found right against. */
  | { readonly kind: "current"; readonly passwordHash: string };

/** Why a password may not be set; null: it may. A link that is unknown, used, replaced or too old is the same. */
export function refusalOf(
  proof: PasswordProof,
  { status, link, passwordHash }: AccountState,
): "AccountLinkInvalid" | "PasswordWrong" | null {
  if (proof.kind === "current")
    return status === "enabled" && passwordHash === proof.passwordHash ? null : "PasswordWrong";
  const isGood =
    status === "enabled" &&
    link !== null &&
    link.secretSha256 === proof.secretSha256 &&
    proof.now.getTime() < Date.parse(link.expiresAt);
  return isGood ? null : "AccountLinkInvalid";
}
