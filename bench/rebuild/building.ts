import { pino } from "pino";
import { openBuilder } from "../../src/daemon/buildVersion.js";
import type { Config } from "../../src/config.js";
import type { ReadModelName } from "../../src/events/projection.js";
import { openProjecting } from "../../src/wiring/projecting.js";
import { timed } from "../measure.js";

/** Milliseconds that the service's own rebuild takes to come to the end of the log. */
export async function build(name: ReadModelName, config: Config, version = 2): Promise<number> {
  const { readModels, ...projecting } = await openProjecting(config);
  const readModel = readModels[name];
  const logger = pino({ level: "silent" });
  const builder = await openBuilder({ ...projecting, readModel, logger, openLease: readModels.fileLease });
  const stopping = new AbortController();
  const grant = await builder.lease.acquire(stopping.signal);
  if (grant === null) throw new Error("Nobody else is expected to build.");
  const took = await timed(() => builder.project(version, grant, stopping.signal, () => stopping.abort()));
  await grant.release();
  await builder.close();
  await readModel.drop(version);
  await projecting.close();
  return took;
}
