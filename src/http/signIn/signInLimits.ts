import { isIPv6 } from "node:net";
import { LRUCache } from "lru-cache";
import { entriesAtMost } from "../../shared/entriesAtMost.js";
import type { Email } from "../../shared/ids.js";

/** Failures within {@link windowMs} after which an account, or an address, has to wait. */
const mostOfAccount = 10;
const mostOfAddress = 100;
const windowMs = 15 * 60_000;
/** Of each kind; whoever is forgotten begins anew. */
const remembered = 20_000;

/** A sign-in that is under way; it counts as failed until it says otherwise. */
export interface CountedAttempt {
  succeeded(): void;
  /** It has neither succeeded nor failed: it is as if it had not been. */
  withdrawn(): void;
}

/**
 * How often sign-ins may fail in this process. Those under way count as failed, so that many at once find no gap; one
 * that succeeds is forgotten, and with it what its account failed before.
 */
export class SignInLimits {
  private readonly accounts = new LRUCache<Email, readonly number[]>(entriesAtMost(remembered));
  private readonly addresses = new LRUCache<string, readonly number[]>(entriesAtMost(remembered));

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The attempt; or, without counting it, after how many seconds the next one may be made. */
  begin(email: Email, address: string): CountedAttempt | number {
    const network = networkOf(address);
    const at = this.now();
    const ofAccount = within(this.accounts.get(email), at);
    const ofAddress = within(this.addresses.get(network), at);
    const wait = Math.max(waitAfter(ofAccount, mostOfAccount, at), waitAfter(ofAddress, mostOfAddress, at));
    if (wait > 0) return wait;
    this.accounts.set(email, [...ofAccount, at]);
    this.addresses.set(network, [...ofAddress, at]);
    const forget = <Key extends string>(attempts: LRUCache<Key, readonly number[]>, of: Key): void =>
      void attempts.set(of, without(attempts.get(of) ?? [], at));
    return {
      succeeded: () => {
        this.accounts.delete(email);
        forget(this.addresses, network);
      },
      withdrawn: () => {
        forget(this.accounts, email);
        forget(this.addresses, network);
      },
    };
  }
}

const within = (failures: readonly number[] = [], now: number): readonly number[] =>
  failures.filter((at) => now - at < windowMs);

/** In seconds; 0: none. */
function waitAfter(failures: readonly number[], most: number, now: number): number {
  const oldest = failures.at(-most);
  return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000));
}

function without(failures: readonly number[], at: number): readonly number[] {
  const place = failures.indexOf(at);
  return place === -1 ? failures : failures.toSpliced(place, 1);
}

/** Who has one address of IPv6 has the 2^64 beside it. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const [first, last] = [groups(head), groups(tail ?? "")];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array.from({ length: zeros }, () => "0"), ...last].slice(0, 4).join(":");
}
