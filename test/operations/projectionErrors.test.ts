import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { ProjectionErrors } from "../../projections/ports.js";
import { openRedisProjectionErrors } from "../../src/adapters/redis/openRedisProjectionErrors.js";
import { openSqliteProjectionErrors } from "../../src/adapters/sqlite/openSqliteProjectionErrors.js";
import { lastErrorsOf, ProjectionErrorLog } from "../../src/operations/status/projectionStatuses.js";
import type { VersionFacts } from "../../src/daemon/ports.js";
import { createLogger } from "../../src/logging.js";
import { beginning } from "../../src/shared/position.js";
import { newNamespace } from "../support/newNamespace.js";
import { dropNamespace } from "../support/redisRows.js";
import { anyRedisUrl, describeOnAnyRedis } from "../support/redisServer.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const logger = createLogger({ logLevel: "silent", logTo: "stderr" });
const search = { projection: "search", version: 1 } as const;
const found = (parked = 0): VersionFacts => ({ position: beginning, parked, size: null });

/** Each process has one of its own. */
function sharedProjectionErrors(openPlace: () => Promise<{ open(): ProjectionErrors; remove(): unknown }>): void {
  let place: Awaited<ReturnType<typeof openPlace>>;
  let asked: ProjectionErrorLog;
  beforeEach(async () => {
    place = await openPlace();
    asked = new ProjectionErrorLog(place.open(), logger);
  });
  afterEach(async () => {
    await asked.close();
    await place.remove();
  });

  const byAnother = async (...reports: Parameters<ProjectionErrorLog["note"]>): Promise<void> => {
    const projecting = new ProjectionErrorLog(place.open(), logger);
    projecting.note(...reports);
    await projecting.close();
  };
  const told = async (facts = found()) => lastErrorsOf(await asked.list())("search", 1, facts);

  it("what one process could not go on for is told by another, until a third one goes on: then since when", async () => {
    expect(await told()).to.equal(null);
    await byAnother({ ...search, kind: "failure", message: "The disk is full." });
    expect(await told()).to.deep.include({ message: "The disk is full.", recovered_at: null });
    await byAnother({ ...search, version: 2, kind: "recovered", message: "" });
    expect(await told()).to.deep.include({ recovered_at: null });
    await byAnother({ ...search, kind: "recovered", message: "" });
    const over = await told();
    expect(over?.message).to.equal("The disk is full.");
    expect(Date.parse(over?.recovered_at ?? "")).to.be.at.least(Date.parse(over?.at ?? ""));
  });

  it("a parked event is told for as long as there is one, and what stands still before that", async () => {
    await byAnother({ ...search, kind: "parked", message: "The event at position 7 was parked." });
    expect(await told()).to.equal(null);
    expect(await told(found(1))).to.deep.include({ message: "The event at position 7 was parked." });
    await byAnother({ ...search, kind: "failure", message: "The disk is full." });
    expect(await told(found(1))).to.deep.include({ message: "The disk is full." });
    await byAnother({ ...search, kind: "recovered", message: "" });
    expect(await told(found(1))).to.deep.include({ message: "The event at position 7 was parked." });
  });
}

describe("what went wrong with projections", () => {
  describe("in the data folder", () =>
    sharedProjectionErrors(async () => {
      const folder = temporaryFolder("troubles");
      const file = join(folder.path, "troubles.sqlite");
      return { open: () => openSqliteProjectionErrors({ file }), remove: () => folder.remove() };
    }));

  describeOnAnyRedis("in Redis", () =>
    sharedProjectionErrors(async () => {
      const place = { url: await anyRedisUrl(), namespace: newNamespace() };
      return {
        open: () => openRedisProjectionErrors(place),
        remove: () => dropNamespace(place),
      };
    }),
  );

  it("is told anew where the file of the data folder is damaged", async () => {
    const folder = temporaryFolder("troubles");
    const file = join(folder.path, "troubles.sqlite");
    const kept: string[] = [];
    const errors = openSqliteProjectionErrors({ file, onSetAside: (as) => kept.push(as) });
    const projectionError = {
      ...search,
      kind: "failure",
      at: "now",
      message: "It failed.",
      recoveredAt: null,
    } as const;
    writeFileSync(file, Buffer.alloc(8_192, 0xa5));
    await errors.record(projectionError);
    expect(await errors.list()).to.deep.equal([projectionError]);
    writeFileSync(file, Buffer.alloc(8_192, 0xa5));
    expect(await errors.list()).to.deep.equal([]);
    expect(kept).to.deep.equal([`${file}.set-aside`, `${file}.set-aside`]);
    await folder.remove();
  });

  it("is what an engine that does not answer here says, where nothing else is known", async () => {
    const asked = lastErrorsOf(new Map());
    expect(asked("search", 1, { failure: "Typesense does not answer." })).to.deep.include({
      message: "Typesense does not answer.",
      recovered_at: null,
    });
  });
});
