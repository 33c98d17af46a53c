import type { LeaseGrant } from "../../../projections/ports.js";
import type { LeaseTiming } from "./leaseTiming.js";
import { LuaScript } from "./luaScript.js";
import type { RedisConnection } from "./redisConnection.js";

/** How a lease was granted. */
export interface Granted {
  readonly connection: RedisConnection;
  readonly key: string;
  /** What the key holds for as long as this grant holds. */
  readonly value: string;
  /** Before the grant was asked for, on the clock of `performance.now()`: it lasts from then on. */
  readonly askedAt: number;
  readonly timing: LeaseTiming;
}

const renewal = new LuaScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

const surrender = new LuaScript(`
  if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
  return 1
`);

/**
 * A lease held in Redis, renewed until it is given back. It counts as lost where it was not renewed in time, where the
 * key says otherwise, and where the connection had to be made anew: the Redis behind it may be another one, or the same
 * as it was some time ago.
 */
export class RedisLeaseGrant implements LeaseGrant {
  readonly token: bigint;
  private readonly losing = new AbortController();
  private readonly stopListening: () => void;
  private readonly checks: (() => Promise<boolean>)[] = [];
  private until: number;
  private renewing: NodeJS.Timeout | undefined;
  private ending: NodeJS.Timeout | undefined;

  constructor(private readonly granted: Granted) {
    this.token = BigInt(granted.value.slice(0, granted.value.indexOf("/")));
    this.until = granted.askedAt + granted.timing.ttlMs;
    this.stopListening = granted.connection.onReconnected(() => this.lose());
    this.extend(granted.askedAt);
    this.planRenewal();
  }

  get lost(): AbortSignal {
    return this.losing.signal;
  }

  /** The key that every write under this grant compares with {@link value}. */
  get key(): string {
    return this.granted.key;
  }

  get value(): string {
    return this.granted.value;
  }

  heldUntil(): number {
    return this.losing.signal.aborted ? Number.NEGATIVE_INFINITY : this.until;
  }

  /** Lets a store be asked at each renewal whether it still holds what was written under this grant; where not, the grant is lost. */
  alsoCheck(check: () => Promise<boolean>): void {
    this.checks.push(check);
  }

  /** To be called where a write was refused because of its token. */
  lose(): void {
    this.stop();
    this.losing.abort();
  }

  /** Also where it counts as lost: the key may still be ours, and nobody need wait for its end. */
  async release(): Promise<void> {
    this.lose();
    const { connection, key, value } = this.granted;
    // Where this fails the lease ends by itself a little later.
    await surrender.run(connection, [key], [value]).catch(() => undefined);
  }

  private planRenewal(): void {
    this.renewing = setTimeout(() => void this.renew(), this.granted.timing.renewMs);
    this.renewing.unref();
  }

  private async renew(): Promise<void> {
    const { connection, key, value, timing } = this.granted;
    const askedAt = performance.now();
    try {
      const isOurs = (await renewal.run(connection, [key], [value, String(timing.ttlMs)])) === 1;
      if (!isOurs || !(await this.stillThere())) return this.lose();
      this.extend(askedAt);
    } catch {
      // No answer: asked again, until the time of the last renewal is over.
    }
    if (!this.losing.signal.aborted) this.planRenewal();
  }

  private async stillThere(): Promise<boolean> {
    return (await Promise.all(this.checks.map((check) => check()))).every(Boolean);
  }

  private extend(from: number): void {
    this.until = from + this.granted.timing.ttlMs;
    clearTimeout(this.ending);
    this.ending = setTimeout(() => this.lose(), this.until - performance.now());
    this.ending.unref();
  }

  private stop(): void {
    clearTimeout(this.renewing);
    clearTimeout(this.ending);
    this.stopListening();
  }
}
