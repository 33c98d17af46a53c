import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { evolve } from "../../commands/projection/versions.js";
import { catalogueReadModel } from "../../projections/catalogue/readModel.js";
import { openSqliteLease } from "../../src/adapters/sqlite/sqliteLease.js";
import { sqliteStorages } from "../../src/adapters/store/sqlite/sqliteStorages.js";
import { buildVersion } from "../../src/daemon/buildVersion.js";
import { startGroup } from "../../src/daemon/projectGroup.js";
import { ToldProjectionFeed } from "../../src/daemon/projectionFeed.js";
import { readModelOf } from "../../src/daemon/readModel.js";
import type { ComparisonSummary, ProjectionEvent } from "../../src/events/projection.js";
import { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { events } from "../support/examples.js";
import { GrowingLog } from "../support/growingLog.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const projection = "catalogue";

describe("the rebuild of a read model of which there is no proof", () => {
  const folder = temporaryFolder("build");
  const dataDir = folder.path;
  after(() => folder.remove());

  it("ends, once the new version holds as much as the one that is served", async () => {
    const growing = Object.assign(new GrowingLog(), { close: () => undefined });
    growing.append(events.DatasourceRegistered);
    const feed = new ToldProjectionFeed();
    const tell = (event: ProjectionEvent): void => feed.tell(projection, evolve(feed.of(projection), event));
    const readModel = readModelOf(catalogueReadModel, sqliteStorages({ dataDir }).catalogue, {
      probe: (reader) => reader.list(),
      provable: null,
    });
    const services = {
      log: { source: () => growing, contents: null as never, close: async () => undefined },
      ...{ tokens: new PrincipalTokens("test"), feed, logger: pino({ level: "silent" }) },
    };
    const serving = await startGroup("served", [readModel], services);
    let told: ComparisonSummary | null = null;
    tell({
      type: "ProjectionRebuildStarted",
      data: { projection, version: 2, verify: true, keep: 0, accepted: false },
    });
    await buildVersion({
      ...{ ...services, readModel, signal: new AbortController().signal },
      openLease: (name) => openSqliteLease({ file: join(dataDir, "leases.sqlite"), name }),
      reports: {
        compared: (version, comparison) => {
          told = comparison;
          tell({ type: "ProjectionCompared", data: { projection, version, comparison } });
        },
        ready: (version) => tell({ type: "ProjectionVersionActivated", data: { projection, version } }),
      },
    });
    await serving.stop();
    expect(feed.of(projection).live).to.equal(2);
    expect(told).to.include({ depth: "full", position: growing.end.toString(), differences: 0 });
    expect(told).to.have.nested.property("kinds[0].kind", "counts");
  });
});
