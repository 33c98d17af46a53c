import { hashSecret } from "../../src/shared/credential.js";
import type { CommandServices } from "../services.js";

const lifetimeMs = 60 * 60_000;

/** A link with which an account's password can be set, once. */
export interface AccountLink {
  /** Shown once, stored nowhere. It counts together with the account's email. */
  readonly secret: string;
  readonly expiresAt: string;
}

/** A new link, and what is written down of it. */
export function mintLink({ minting, now }: Pick<CommandServices, "minting" | "now">) {
  const secret = minting.linkSecret();
  const expiresAt = new Date(now().getTime() + lifetimeMs).toISOString();
  return {
    shown: { secret, expiresAt } satisfies AccountLink,
    stored: { secretSha256: hashSecret(secret), expiresAt },
  };
}
