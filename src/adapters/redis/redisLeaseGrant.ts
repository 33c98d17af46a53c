import { RenewedGrant, type GrantedRight } from "../leases/renewedGrant.js";
import { LuaScript } from "./luaScript.js";
import type { RedisConnection } from "./redisConnection.js";

/** How a lease was granted. */
export interface GrantedKey extends Omit<GrantedRight, "token"> {
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
