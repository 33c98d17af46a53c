import { LRUCache } from "lru-cache";
import { refusal } from "./envelopes.js";
import { RefusedRequest } from "./refusedRequest.js";
import { Shares } from "../shared/shares.js";
import type { Email, CredentialId } from "../shared/ids.js";
import { counted } from "../shared/texts.js";
import { entriesAtMost } from "../shared/entriesAtMost.js";
import type { Position } from "../shared/position.js";

const mebibyte = 1_048_576;

const mostRequests = 1_000;

/** Bodies of open routes have 16 KiB: some hundred may be awaited. */
const openBodyBytes = 8 * mebibyte;

const bodyBytes = 256 * mebibyte;

/** Large bodies that may be in memory at once, and on disk, in bodies of the largest size. */
const largestInMemory = 2;

const largestOnDisk = 8;

/** What requests share, each for itself (docs/design/http.md). */
export class RequestShares {
  /** Requests whose bodies are there, and whose answers are not. */
  readonly requests = new Shares(mostRequests);
  /** Memory for bodies that are awaited: of open routes, and of those that ask who calls. */
  readonly openBodies = new Shares(openBodyBytes);
  readonly bodies = new Shares(bodyBytes);
  /** Bytes on disk of bodies that have not been read from there. */
  readonly onDisk: Shares;
  /** Bytes of large bodies that are read, and whose documents are taken. */
  readonly inMemory: Shares;

  /** `largest`: the bytes of the largest body. */
  constructor(largest: number) {
    this.onDisk = new Shares(largestOnDisk * largest);
    this.inMemory = new Shares(largestInMemory * largest);
  }
}

/** How much somebody has here of files. */
interface FileUsage {
  readonly files: number;
  readonly bytes: number;
}

/** What a person may have of files. Uploads that are under way count as if they were here. */
export class UploadQuotas {
  private readonly underWay = new Map<Email, FileUsage>();

  /** `usageOf`: as of the end of the log. */
  constructor(
    private readonly most: FileUsage,
    private readonly usageOf: (owner: Email) => Promise<FileUsage>,
  ) {}

  /** Refuses (413), before anything comes, a person who can upload nothing more. */
  async refuseWhoHasMost(owner: Email): Promise<void> {
    await this.refuseBeyond(owner, { files: 1, bytes: 1 });
  }

  /** Keeps a file of so many bytes, or refuses it (413) and says what is left. */
  async during<Value>(owner: Email, bytes: number, keep: () => Promise<Value>): Promise<Value> {
    const one = { files: 1, bytes };
    await this.refuseBeyond(owner, one);
    this.add(owner, one);
    try {
      return await keep();
    } finally {
      this.add(owner, { files: -1, bytes: -bytes });
    }
  }

  private async refuseBeyond(owner: Email, more: FileUsage): Promise<void> {
    const here = await this.usageOf(owner);
    const { files, bytes } = sum(here, this.underWay.get(owner) ?? noUsage);
    const left = { files: Math.max(0, this.most.files - files), bytes: Math.max(0, this.most.bytes - bytes) };
    if (more.files <= left.files && more.bytes <= left.bytes) return;
    const detail = `You may have ${counted(this.most.files, "file")} with ${this.most.bytes} bytes together here, and ${left.files} with ${left.bytes} bytes are left. Erase files that you need no more, or wait until they expire.`;
    throw new RefusedRequest(refusal(413, detail));
  }

  private add(owner: Email, more: FileUsage): void {
    const usage = sum(this.underWay.get(owner) ?? noUsage, more);
    if (usage.files === 0) this.underWay.delete(owner);
    else this.underWay.set(owner, usage);
  }
}

const noUsage: FileUsage = { files: 0, bytes: 0 };

const sum = (one: FileUsage, other: FileUsage): FileUsage => ({
  files: one.files + other.files,
  bytes: one.bytes + other.bytes,
});

/** How many credentials are remembered: one that is forgotten begins with a full minute. */
const rememberedCredentials = 10_000;

const minuteMs = 60_000;

interface Allowance {
  /** How many requests may come at once. */
  left: number;
  at: number;
}

/**
 * How many requests a minute each credential may make in this process. What is not used is kept for a minute, so that a
 * burst is fine as long as the minute is not exceeded.
 */
export class RateLimits {
  private readonly allowances = new LRUCache<CredentialId, Allowance>(entriesAtMost(rememberedCredentials));

  constructor(
    /** null: any number. */
    private readonly perMinute: number | null,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts a request, and returns 0; or, without counting it, after how many seconds the next one may come. */
  take(credential: CredentialId): number {
    if (this.perMinute === null) return 0;
    const now = this.now();
    const known = this.allowances.get(credential);
    const regained = known === undefined ? this.perMinute : ((now - known.at) / minuteMs) * this.perMinute;
    const left = Math.min(this.perMinute, (known?.left ?? 0) + regained);
    if (left < 1) return Math.ceil(((1 - left) / this.perMinute) * (minuteMs / 1_000));
    this.allowances.set(credential, { left: left - 1, at: now });
    return 0;
  }
}

/** About as many documents as become searchable in three seconds: a burst of single ones does not wait. */
const mostDocuments = 10_000;

const longestWaitMs = 1_000;

/** Resolves to true once searches find what was written up to a position, to false after `timeoutMs`. */
export type IsSearchable = (position: Position, timeoutMs: number) => Promise<boolean>;

interface TakenPush {
  readonly position: Position;
  readonly documents: number;
}

/**
 * The documents that this process has taken and searches may not find yet. Pushes are taken several times as fast as
 * they become searchable: without a bound they would take the processors from people who search, and the first of them
 * would be found later, not sooner.
 */
export class SearchBacklog {
  private taken: TakenPush[] = [];
  private documents = 0;

  constructor(
    private readonly isSearchable: IsSearchable,
    private readonly capacity = mostDocuments,
  ) {}

  /**
   * Waits while the backlog is over its capacity, until half of it is searchable. After a second without that a push is
   * taken anyway: an index that stands still slows pushes down, and the log keeps them.
   */
  async untilThereIsRoom(): Promise<void> {
    while (this.documents > this.capacity) {
      const middle = this.taken[this.taken.length >> 1];
      if (middle === undefined || !(await this.isSearchable(middle.position, longestWaitMs))) return;
      this.forgetUpTo(middle.position);
    }
  }

  add(push: TakenPush): void {
    this.taken.push(push);
    this.documents += push.documents;
  }

  private forgetUpTo(position: Position): void {
    this.taken = this.taken.filter((push) => push.position > position);
    this.documents = this.taken.reduce((count, { documents }) => count + documents, 0);
  }
}
