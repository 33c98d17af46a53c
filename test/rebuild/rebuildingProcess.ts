import { once } from "node:events";
import { followProjections } from "../../src/composition/followProjections.js";
import { bringUp } from "../../src/composition/rebuild/bringUp.js";
import { carryOutReports } from "../../src/composition/rebuild/carryOutReports.js";
import { openWriteSide } from "../../src/composition/writeSide.js";
import type { ReadModelName } from "../../src/events/projection.js";
import { createLogger } from "../../src/logging.js";
import { testConfig } from "../support/startService.js";

/**
 * A process that brings up what is under way of the read model that it is told, in small steps, until it is served or
 * the process is killed. It begins when it is told to, so that it can be there before it is needed.
 */
const [settings = "{}", name = "", leaseMs = ""] = process.argv.slice(2);
await once(process, "message");
const config = testConfig(JSON.parse(settings) as NodeJS.ProcessEnv);
const logger = createLogger({ logLevel: "error", logTo: "stderr" });
const { commands, source, streams } = await openWriteSide(config);
const { feed } = await followProjections(streams, source, logger);
process.send?.("started");
await bringUp({
  name: name as ReadModelName,
  config,
  feed,
  reports: carryOutReports(name as ReadModelName, { commands, logger }),
  logger,
  signal: new AbortController().signal,
  pace: {
    maxBatchSize: 20,
    holdsMs: 10,
    leaseTiming: { ttlMs: Number(leaseMs), renewMs: Number(leaseMs) / 5, pollMs: 5 },
  },
});
process.exit(0);
