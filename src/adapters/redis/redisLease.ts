import { randomBytes } from "node:crypto";
import type { Lease, LeaseTiming } from "../../../projections/ports.js";
import { defaultTiming, standBy, RenewedGrant, type GrantedRight } from "../leases/renewedGrant.js";
import { keyOf, LuaScript, type RedisConnection } from "./redisConnection.js";

/**
 * The token is the greater of the last one plus one and the server's clock in microseconds, so it still grows after a
 * Redis lost the last one. The whole value names the grant: no two values are equal, whatever their tokens are.
 */
const acquisition = new LuaScript(`
  if redis.call('EXISTS', KEYS[1]) == 1 then return false end
  local time = redis.call('TIME')
  local token = string.format('%.0f', math.max(tonumber(redis.call('GET', KEYS[2]) or '0') + 1, time[1] * 1000000 + time[2]))
  redis.call('SET', KEYS[2], token)
  redis.call('SET', KEYS[1], token .. '/' .. ARGV[1], 'PX', ARGV[2])
  return token
`);

/** A lease in Redis: a key that names its holder and vanishes when it is not renewed. */
export class RedisLease implements Lease {
  private readonly key: string;
  private readonly tokenKey: string;

  constructor(
    private readonly connection: RedisConnection,
    namespace: string,
    name: string,
    private readonly timing: LeaseTiming = defaultTiming,
  ) {
    this.key = keyOf(namespace, "lease", name);
    this.tokenKey = keyOf(namespace, "token", name);
  }

  acquire(signal: AbortSignal): Promise<RedisLeaseGrant | null> {
    return standBy(() => this.ask(), this.timing.pollMs, signal);
  }

  private async ask(): Promise<RedisLeaseGrant | null> {
    const { connection, key, timing } = this;
    const holder = randomBytes(9).toString("base64url");
    const askedAt = performance.now();
    const token = await acquisition.run(connection, [key, this.tokenKey], [holder, String(timing.ttlMs)]);
    return token === null
      ? null
      : new RedisLeaseGrant({ connection, key, value: `${String(token)}/${holder}`, askedAt, timing });
  }
}

/** How a lease was granted. */
interface GrantedKey extends Omit<GrantedRight, "token"> {
  readonly connection: RedisConnection;
  readonly key: string;
  /** What the key holds for as long as this grant holds: its token, and a part that tells it from every other grant. */
  readonly value: string;
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
 * A lease held in Redis. It also counts as lost where the connection had to be made anew: the Redis behind it may be
 * another one, or the same one as it was some time ago.
 */
export class RedisLeaseGrant extends RenewedGrant {
  private readonly stopListening: () => void;
  private readonly checks = new Set<() => Promise<boolean>>();

  constructor(private readonly granted: GrantedKey) {
    super({ ...granted, token: BigInt(granted.value.slice(0, granted.value.indexOf("/"))) });
    this.stopListening = granted.connection.onReconnected(() => this.lose());
  }

  /** The key that every write under this grant compares with {@link value}. */
  get key(): string {
    return this.granted.key;
  }

  get value(): string {
    return this.granted.value;
  }

  /**
   * Has a store checked at each renewal: where it no longer holds what was written under this grant, the grant is lost.
   * Returns a function that ends the checks.
   */
  alsoCheck(check: () => Promise<boolean>): () => void {
    this.checks.add(check);
    return () => void this.checks.delete(check);
  }

  override lose(): void {
    this.stopListening();
    super.lose();
  }

  protected override async renew(): Promise<boolean> {
    const { connection, key, value, timing } = this.granted;
    if ((await renewal.run(connection, [key], [value, String(timing.ttlMs)])) !== 1) return false;
    return (await Promise.all([...this.checks].map((check) => check()))).every(Boolean);
  }

  protected override async surrender(): Promise<void> {
    const { connection, key, value } = this.granted;
    await surrender.run(connection, [key], [value]);
  }
}
