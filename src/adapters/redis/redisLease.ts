import { randomBytes } from "node:crypto";
import type { Lease, LeaseTiming } from "../../../projections/ports.js";
import { defaultTiming } from "../leases/leaseTiming.js";
import { standBy } from "../leases/standBy.js";
import { keyOf } from "./keys.js";
import { LuaScript } from "./luaScript.js";
import type { RedisConnection } from "./redisConnection.js";
import { RedisLeaseGrant } from "./redisLeaseGrant.js";

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
