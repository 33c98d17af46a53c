import { catalogue } from "../../projections/catalogue/readModel.js";
import { credentials } from "../../projections/credentials/project.js";
import { groupClosure } from "../../projections/groupClosure/project.js";
import type { EventSource, Projection, ProjectionWriter } from "../../projections/ports.js";
import { runProjection } from "../../projections/runProjection.js";
import { runWithLease } from "../../projections/runWithLease.js";
import { openRedisReadModelStores } from "../../src/adapters/store/redis/redisStorages.js";
import type { LeaseTiming } from "../../projections/ports.js";
import { writersOn, type RedisPlace } from "./redisReadModels.js";

/** Short, so that tests need not wait. */
export const quickLease: LeaseTiming = { ttlMs: 3_000, renewMs: 100, pollMs: 20 };

/** A projector process as production has it, in this process: projects a log into Redis while it holds the lease. */
export class LeasedProjector {
  private readonly stopping = new AbortController();
  /** Tokens under which it worked. */
  readonly grants: bigint[] = [];
  readonly failures: unknown[] = [];
  private running: Promise<void> = Promise.resolve();
  private release = (): void => undefined;

  static async start(place: RedisPlace, source: EventSource, maxBatchSize = 50): Promise<LeasedProjector> {
    const projector = new LeasedProjector();
    const redis = await openRedisReadModelStores({ ...place, leaseTiming: quickLease, commandTimeoutMs: 1_000 });
    projector.release = () => redis.close();
    projector.running = runWithLease({
      lease: redis.lease("readModels"),
      signal: projector.stopping.signal,
      work: async (grant, signal) => {
        const writers = writersOn(redis.stores(grant));
        const run = <Change>(projection: Projection<Change>, writer: ProjectionWriter<Change>): Promise<void> =>
          runProjection({
            projection,
            writer,
            source,
            signal,
            maxBatchSize,
            retryDelayMs: 20,
            onParked: () => undefined,
            onFailure: (error) => void projector.failures.push(error),
          });
        await Promise.all([
          run(groupClosure, writers.groupClosure),
          run(catalogue, writers.catalogue),
          run(credentials, writers.credentials),
        ]);
      },
      onGranted: (token) => void projector.grants.push(token),
      onEnded: () => undefined,
      onFailure: (error) => void projector.failures.push(error),
      retryDelayMs: 20,
    });
    return projector;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.release();
  }
}
