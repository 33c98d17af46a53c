import type { ParkedEvents } from "../../../../projections/ports.js";
import type { AccessReader, CatalogueReader, Counted, CredentialReader } from "../../../../queries/ports.js";
import type { Position } from "../../../shared/position.js";
import { openRedis } from "../../redis/openRedis.js";
import type { RedisOptions } from "../../redis/redisConnection.js";
import { RedisAccessReader } from "./accessReader.js";
import { RedisCatalogueReader } from "./catalogueReader.js";
import { RedisCredentialReader } from "./credentialReader.js";
import { countsIn } from "./countsIn.js";
import { ReadSession } from "./readSession.js";

export interface RedisReadModels {
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
  readonly parked: ParkedEvents;
  readonly counted: Counted;
}

export interface RedisReadModelsOptions extends RedisOptions {
  /**
   * Position of the newest event in the log. It is asked for with the first question, and whenever Redis may have lost
   * what was served. Until Redis holds that much again, its readers answer with `ReadModelUnavailable`.
   */
  logHead(): Promise<Position>;
}

/**
 * Connects for reading. Rejects with a sentence, in bounded time, where Redis cannot be had or the namespace is not
 * ours.
 */
export async function openRedisReadModels(
  options: RedisReadModelsOptions,
): Promise<RedisReadModels & { close(): void }> {
  const connection = await openRedis(options);
  const session = new ReadSession(connection, options.namespace, () => options.logHead());
  await session.listen();
  return {
    access: new RedisAccessReader(session),
    catalogue: new RedisCatalogueReader(session),
    credentials: new RedisCredentialReader(session),
    parked: { list: (projection) => session.parked(projection) },
    counted: countsIn(session),
    close: () => session.close(),
  };
}
