import { pino } from "pino";
import { openVersionBuilder } from "../../src/composition/rebuild/versionBuilder.js";
import { fileOf } from "../../src/composition/versionPlaces.js";
import type { Config } from "../../src/config.js";
import type { ReadModelName } from "../../src/events/projection.js";
import { rmSync } from "node:fs";
import { timed } from "../measure.js";

/** Milliseconds that the service's own rebuild takes to come to the end of the log, with nobody to give way to. */
export async function build(name: ReadModelName, config: Config, version = 2): Promise<number> {
  const logger = pino({ level: "silent" });
  const builder = await openVersionBuilder(name, config, { logger });
  const stopping = new AbortController();
  const grant = await builder.lease.acquire(stopping.signal);
  if (grant === null) throw new Error("Nobody else is expected to build.");
  const took = await timed(() =>
    builder.project(version, grant, { signal: stopping.signal, onCaughtUp: () => stopping.abort() }),
  );
  await grant.release();
  await builder.close();
  for (const suffix of ["", "-wal", "-shm"])
    rmSync(`${fileOf(config.dataDir, { name, version })}${suffix}`, { force: true });
  return took;
}
