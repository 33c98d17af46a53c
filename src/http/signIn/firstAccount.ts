import { timingSafeEqual } from "node:crypto";
import { hashSecret, mintLinkSecret } from "../../shared/credential.js";

const lifetimeMs = 60 * 60_000;

/**
 * The link with which the first administrator is made; in the memory of this process alone (docs/design/accounts.md).
 */
export class FirstAccount {
  private link: { readonly hash: Buffer; readonly expiresAt: number } | null = null;

  constructor(private readonly now: () => number = Date.now) {}

  /** Makes the link, and answers with its secret. It is good for an hour, and for one account. */
  offer(): string {
    const secret = mintLinkSecret();
    this.link = { hash: hashOf(secret), expiresAt: this.now() + lifetimeMs };
    return secret;
  }

  /**
   * Takes the link where the secret is its own: of several who bring it at once, one makes an account. The answer puts
   * it back, where none was made; null: the secret is another. Takes the same time wherever two differ.
   */
  take(secret: string): (() => void) | null {
    const { link } = this;
    const isOffered = link !== null && this.now() < link.expiresAt && timingSafeEqual(hashOf(secret), link.hash);
    if (!isOffered) return null;
    this.link = null;
    return () => (this.link = link);
  }
}

const hashOf = (secret: string): Buffer => Buffer.from(hashSecret(secret));
