import { expect } from "chai";
import type { Readiness } from "../../src/http/routeServices.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

describe("the answer to whether the service should get requests", () => {
  const ready: Readiness = { isReady: true, waitsFor: [], threadsAway: [], isStopping: false };
  let readiness: Readiness = ready;
  let isLogExchanged = false;
  let app: AppUnderTest;
  before(async () => {
    app = await startAppWithFakes({
      dependencies: { readiness: () => Promise.resolve(readiness), isLogExchanged: () => isLogExchanged },
    });
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
    [
      "names the read models that are built, and how far they are",
      { isReady: false, waitsFor: [{ name: "search", state: "building", progress: 0.25 }] },
      503,
      { status: "starting", waits_for: [{ name: "search", state: "building", progress: 0.25 }] },
    ],
  ];
  for (const [what, found, status, body] of cases) {
    it(what, async () => {
      readiness = { ...ready, ...found };
      const response = await fetch(`${app.url}/health/ready`);
      expect([response.status, await response.json()]).to.deep.equal([status, body]);
    });
  }

  it("says that the log was exchanged, and then nothing is answered to anybody", async () => {
    isLogExchanged = true;
    readiness = ready;
    const response = await fetch(`${app.url}/health/ready`);
    expect([response.status, await response.json()]).to.deep.equal([503, { status: "log_exchanged" }]);
    for (const token of ["key", "account", "unknown"]) {
      const refused = await fetch(`${app.url}/api/beta/search?query=plan`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect([refused.status, refused.headers.get("Retry-After")]).to.deep.equal([503, "30"]);
      expect(await refused.text()).to.contain("exchanged");
    }
  });
});
