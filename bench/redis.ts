import { measureCheckAccess, registerDatasource } from "./http.js";
import type { Measurement } from "./measure.js";
import { startKoaPeer, startRedis, startServiceProcess } from "./processes.js";

/**
 * What the read models cost when they are in a Redis on the same machine. Measures nothing where no redis-server is
 * installed.
 */
export async function measureRedis(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const redis = await startRedis();
  if (redis === null) {
    report("no redis-server: left out");
    return [];
  }
  const service = await startServiceProcess({ REDIS_URL: redis.url });
  const peer = await startKoaPeer();
  try {
    await registerDatasource(service);
    report("check-access with Redis");
    const name = "check-access over HTTP with the read models in Redis, the same person again ÷ the Koa service";
    return [await measureCheckAccess(service, peer.url, rounds, { name, minimum: 0.5 })];
  } finally {
    await Promise.all([service.stop(), peer.stop()]);
    await redis.stop();
  }
}
