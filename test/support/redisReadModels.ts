import type { LeaseGrant } from "../../projections/ports.js";
import {
  openRedisReadModels,
  openRedisReadModelStores,
  type RedisProjecting,
  type RedisReadModelStores,
} from "../../src/adapters/store/redis/redisStorages.js";
import type { LeaseTiming } from "../../projections/ports.js";
import { beginning, type Position } from "../../src/shared/position.js";
import { RecordingEraser, tokens, type WriterSettings } from "./readModelWriters.js";
import { createReadModelWriters, type ReadModelWriters } from "./writersOverStores.js";

/** Where the read models of a test are. */
export interface RedisPlace {
  readonly url: string;
  readonly namespace: string;
}

export const writersOn = (
  stores: RedisReadModelStores,
  { eraser = new RecordingEraser(), limits }: WriterSettings = {},
): ReadModelWriters => createReadModelWriters(stores, { tokens, eraser, limits });

/** Projecting into Redis with the lease held. */
export interface HeldProjecting {
  readonly projecting: RedisProjecting;
  readonly grant: LeaseGrant;
  readonly stores: RedisReadModelStores;
  readonly writers: ReadModelWriters;
}

export interface HeldSettings extends WriterSettings {
  readonly leaseTiming?: LeaseTiming;
}

/** For tests of something else than losing a lease: a machine that stands still for a while is no reason to fail. */
const patientMs = 30_000;
const patientLease: LeaseTiming = { ttlMs: 2 * patientMs, renewMs: 1_500, pollMs: 100 };

/** Connects, and waits for the lease. */
export async function holdProjecting(place: RedisPlace, settings: HeldSettings = {}): Promise<HeldProjecting> {
  const projecting = await openRedisReadModelStores({
    ...place,
    leaseTiming: settings.leaseTiming ?? patientLease,
    commandTimeoutMs: patientMs,
  });
  const grant = await projecting.lease("readModels").acquire(new AbortController().signal);
  if (grant === null) throw new Error("The lease was not granted.");
  const stores = projecting.stores(grant);
  return { projecting, grant, stores, writers: writersOn(stores, settings) };
}

/** Readers whose log ends where the test says. */
export const readRedis = (place: RedisPlace, logHead: () => Position = () => beginning) =>
  openRedisReadModels({ ...place, logHead: () => Promise.resolve(logHead()), commandTimeoutMs: patientMs });
