import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createLogger } from "../../src/logging.js";
import { startService } from "../../src/main.js";
import { newDataDir } from "../support/startService.js";
import { testConfig } from "../support/testConfig.js";

describe("a service that cannot open one of its read models", () => {
  it("does not start, and leaves nothing of the others running", async () => {
    const config = testConfig({ DATA_DIR: newDataDir() });
    mkdirSync(join(config.dataDir, "permissionHistory.sqlite"), { recursive: true });
    const outcome = await startService(config, createLogger(config)).then(
      () => "started",
      () => "refused",
    );
    // What was left running would end this file as a failure.
    expect(outcome).to.equal("refused");
  });
});
