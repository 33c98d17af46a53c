import { LRUCache } from "lru-cache";
import { entriesAtMost } from "../../shared/entriesAtMost.js";
import type { CredentialKind } from "../../shared/credential.js";
import type { CredentialId } from "../../shared/ids.js";

/** A use of a credential that is to be written down. */
export interface RecordedUse {
  readonly kind: CredentialKind;
  readonly id: CredentialId;
  /** ISO instant. */
  readonly usedAt: string;
  /** What was written down less long ago is enough. */
  readonly everyMs: number;
}

/** Calls back after so many milliseconds, unless the answer is called before. */
type Schedule = (callBack: () => void, afterMs: number) => () => void;

interface LastUsesOptions {
  /** Writes a use down. Never rejects. */
  readonly record: (use: RecordedUse) => Promise<void>;
  readonly sessionIdleMs: number;
  readonly now?: () => number;
  readonly schedule?: Schedule;
}

interface Known {
  lastUsedAt: number;
  /** null: not by this process. */
  recordedAt: number | null;
  /** Withdraws what is still to be written down. */
  withdraw: (() => void) | null;
}

const hourMs = 60 * 60_000;
const longestDelayMs = 60_000;
/** So many credentials are remembered; one that is forgotten begins anew. */
const remembered = 50_000;

/**
 * When credentials were used last, as far as this process knows. It is written down late and seldom, and nobody waits
 * for it (docs/design/accounts.md): a minute after the first use, for keys and service accounts at most once an hour,
 * for sessions once in a twelfth of the time after which they would end idle.
 */
export class LastUses {
  private readonly known: LRUCache<string, Known>;
  private readonly writing = new Set<Promise<void>>();
  private readonly now: () => number;
  private readonly schedule: Schedule;

  constructor(private readonly options: LastUsesOptions) {
    this.now = options.now ?? Date.now;
    this.schedule = options.schedule ?? afterTimeout;
    this.known = new LRUCache({ ...entriesAtMost(remembered), dispose: (known) => known.withdraw?.() });
  }

  /** To be told of each request of a credential. */
  note(kind: CredentialKind, id: CredentialId): void {
    const key = `${kind} ${id}`;
    const now = this.now();
    const known: Known = this.known.get(key) ?? { lastUsedAt: now, recordedAt: null, withdraw: null };
    known.lastUsedAt = now;
    if (known.withdraw === null && (known.recordedAt === null || now - known.recordedAt >= this.everyMs(kind)))
      known.withdraw = this.schedule(() => this.write(kind, id, known), Math.min(longestDelayMs, this.everyMs(kind)));
    this.known.set(key, known);
  }

  /** In milliseconds since the epoch; undefined where this process has seen none. */
  of(kind: CredentialKind, id: CredentialId): number | undefined {
    return this.known.peek(`${kind} ${id}`)?.lastUsedAt;
  }

  /** Writes down nothing more, and resolves once what is being written is. */
  async stop(): Promise<void> {
    this.known.clear();
    await Promise.all(this.writing);
  }

  private write(kind: CredentialKind, id: CredentialId, known: Known): void {
    known.withdraw = null;
    known.recordedAt = this.now();
    const usedAt = new Date(known.lastUsedAt).toISOString();
    const writing = this.options.record({ kind, id, usedAt, everyMs: this.everyMs(kind) });
    this.writing.add(writing);
    void writing.finally(() => this.writing.delete(writing));
  }

  private everyMs(kind: CredentialKind): number {
    return kind === "session" ? this.options.sessionIdleMs / 12 : hourMs;
  }
}

const afterTimeout: Schedule = (callBack, afterMs) => {
  const timer = setTimeout(callBack, afterMs);
  timer.unref();
  return () => clearTimeout(timer);
};
