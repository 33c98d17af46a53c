import { once } from "node:events";
import { buildVersion } from "../../src/daemon/buildVersion.js";
import { carryOutReports } from "../../src/daemon/startProjecting.js";
import { followProjections } from "../../src/daemon/followProjections.js";
import type { ReadModelName } from "../../src/events/projection.js";
import { createLogger } from "../../src/logging.js";
import { openProjecting } from "../../src/wiring/projecting.js";
import { openWriteSide } from "../../src/wiring/writeSide.js";
import { testConfig } from "../support/testConfig.js";

/**
 * A process that builds what is under way of the read model that it is told, in small steps, until it is served or
 * the process is killed. It begins when it is told to, so that it can be there before it is needed.
 */
const [settings = "{}", name = "", leaseMs = ""] = process.argv.slice(2);
await once(process, "message");
const config = testConfig(JSON.parse(settings) as NodeJS.ProcessEnv);
const logger = createLogger({ logLevel: "error", logTo: "stderr" });
const { commands, source, streams } = await openWriteSide(config);
const { feed } = await followProjections(streams, source, logger);
process.send?.("started");
const { readModels, ...projecting } = await openProjecting(config);
await buildVersion({
  ...{ ...projecting, feed, logger, readModel: readModels[name as ReadModelName], openLease: readModels.fileLease },
  reports: carryOutReports(name as ReadModelName, { commands, logger }),
  signal: new AbortController().signal,
  pace: {
    maxBatchSize: 20,
    holdsMs: 10,
    leaseTiming: { ttlMs: Number(leaseMs), renewMs: Number(leaseMs) / 5, pollMs: 5 },
  },
});
process.exit(0);
