import { LRUCache } from "lru-cache";
import { entriesAtMost } from "../../shared/entriesAtMost.js";
import type { Email } from "../../shared/ids.js";
import { networkOf } from "../../shared/network.js";

/**
 * So many failures within {@link windowMs} close an account to one address, an account to all addresses, or an address
 * to all accounts. So ten wrong passwords from one place keep nobody out elsewhere. A browser in which the account's
 * person has signed in before is counted by itself: nobody else keeps it out.
 */
const bounds = { ofAccountAtAddress: 10, ofAccount: 100, ofAddress: 100, ofKnownBrowser: 10 } as const;
const windowMs = 15 * 60_000;
/** How many of each kind are remembered; an account or address that is forgotten begins anew. */
const remembered = 20_000;

/** A sign-in that is under way; it counts as failed until it says otherwise. */
export interface CountedAttempt {
  succeeded(): void;
  /** It has neither succeeded nor failed: it is as if it had not been. */
  withdrawn(): void;
}

/**
 * How often sign-ins may fail in this process. Sign-ins that are under way count as failed, so that many at once find
 * no gap; one that succeeds is forgotten, and with it the earlier failures of its account at its address.
 */
export class SignInLimits {
  private readonly ofAccountAtAddress: Failures;
  private readonly ofAccount: Failures;
  private readonly ofAddress: Failures;
  private readonly ofKnownBrowser: Failures;

  constructor(now: () => number = () => performance.now()) {
    this.ofAccountAtAddress = new Failures(bounds.ofAccountAtAddress, now);
    this.ofAccount = new Failures(bounds.ofAccount, now);
    this.ofAddress = new Failures(bounds.ofAddress, now);
    this.ofKnownBrowser = new Failures(bounds.ofKnownBrowser, now);
  }

  /** After how many seconds the next sign-in from this address may be made; 0: now. */
  waitOf(address: string): number {
    return this.ofAddress.wait(networkOf(address));
  }

  /** Counts a request from an address that was no sign-in at all. */
  noteFailure(address: string): void {
    this.ofAddress.add(networkOf(address));
  }

  /** The same as {@link begin}, in a browser that the account knows by this mark. */
  beginKnown(mark: string): CountedAttempt | number {
    const wait = this.ofKnownBrowser.wait(mark);
    if (wait > 0) return wait;
    const withdrawn = this.ofKnownBrowser.add(mark);
    return { withdrawn, succeeded: () => this.ofKnownBrowser.clear(mark) };
  }

  /** The attempt; or, without counting it, after how many seconds the next one may be made. */
  begin(email: Email, address: string): CountedAttempt | number {
    const network = networkOf(address);
    const both = `${network} ${email}`;
    const wait = Math.max(this.ofAccountAtAddress.wait(both), this.ofAccount.wait(email), this.ofAddress.wait(network));
    if (wait > 0) return wait;
    const forgets = [this.ofAccountAtAddress.add(both), this.ofAccount.add(email), this.ofAddress.add(network)];
    const withdrawn = (): void => {
      for (const forget of forgets) forget();
    };
    return {
      withdrawn,
      succeeded: () => {
        withdrawn();
        this.ofAccountAtAddress.clear(both);
      },
    };
  }
}

/** What has failed lately, by whom or from where. */
class Failures {
  private readonly times = new LRUCache<string, readonly number[]>(entriesAtMost(remembered));

  constructor(
    private readonly most: number,
    private readonly now: () => number,
  ) {}

  /** In seconds; 0: none. */
  wait(of: string): number {
    const at = this.now();
    return waitAfter(within(this.times.get(of), at), this.most, at);
  }

  /** Counts one, and returns what forgets it. */
  add(of: string): () => void {
    const at = this.now();
    this.times.set(of, [...within(this.times.get(of), at), at]);
    return () => void this.times.set(of, without(this.times.get(of) ?? [], at));
  }

  clear(of: string): void {
    this.times.delete(of);
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
