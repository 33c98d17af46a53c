import { followProjections } from "../../src/composition/followProjections.js";
import { bringUp } from "../../src/composition/rebuild/bringUp.js";
import { carryOutReports } from "../../src/composition/rebuild/carryOutReports.js";
import { newThrottleSignal, Throttle } from "../../src/composition/rebuild/throttle.js";
import { openWriteSide } from "../../src/composition/writeSide.js";
import type { ReadModelName } from "../../src/events/projection.js";
import { createLogger } from "../../src/logging.js";
import { testConfig } from "../support/startService.js";

/** A process that brings up what is under way of the read model that it is told, in small steps, until it is served or the process is killed. */
const [dataDir = "", name = ""] = process.argv.slice(2);
const config = testConfig({ DATA_DIR: dataDir });
const logger = createLogger({ logLevel: "error", logTo: "stderr" });
const { commands, source, streams } = await openWriteSide(config);
const { feed } = await followProjections(streams, source, logger);
process.send?.("started");
await bringUp({
  name: name as ReadModelName,
  config,
  feed,
  throttle: new Throttle(newThrottleSignal()),
  reports: carryOutReports(name as ReadModelName, { commands, logger }),
  logger,
  signal: new AbortController().signal,
  pace: { maxBatchSize: 20, holdsMs: 10, leaseTiming: { ttlMs: 200, renewMs: 40, pollMs: 5 } },
});
process.exit(0);
