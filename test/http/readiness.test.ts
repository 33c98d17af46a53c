import { expect } from "chai";
import type { Readiness } from "../../src/http/routeServices.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

describe("the answer to whether the service should get requests", () => {
  const ready: Readiness = { isReady: true, waitsFor: [], threadsAway: [], isLogExchanged: false };
  let readiness: Readiness;
  let app: AppUnderTest;
  before(async () => {
    app = await startAppWithFakes({ dependencies: { readiness: () => Promise.resolve(readiness) } });
  });
  after(() => app.stop());

  const cases: readonly (readonly [string, Partial<Readiness>, number, object])[] = [
    ["is yes where everything works", {}, 200, { status: "ready" }],
    [
      "names the threads that have ended",
      { isReady: false, threadsAway: ["log writer"] },
      503,
      { status: "starting", threads_away: ["log writer"] },
    ],
    ["says that the log was exchanged", { isReady: false, isLogExchanged: true }, 503, { status: "log_exchanged" }],
  ];
  for (const [what, found, status, body] of cases) {
    it(what, async () => {
      readiness = { ...ready, ...found };
      const response = await fetch(`${app.url}/health/ready`);
      expect([response.status, await response.json()]).to.deep.equal([status, body]);
    });
  }
});
