import { expect } from "chai";
import type { Readiness } from "../../src/http/routeServices.js";
import { healthRoutes } from "../../src/http/routes/health.js";
import { Shares } from "../../src/shared/shares.js";
import { roomyDisk, startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

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

  it("is no while nobody new would find room among the requests", async () => {
    const asked = healthRoutes.find(({ path }) => path === "/health/ready");
    const answered = async (free: number): Promise<unknown> => {
      const requests = new Shares(free);
      requests.holding("somebody").grow(1);
      const services = {
        ...{ isLogExchanged: () => false, readiness: () => Promise.resolve(readiness), disk: roomyDisk },
        shares: { requests },
      };
      const context = { services, status: 200, body: null, set: () => undefined };
      await asked?.handle(context as never, {} as never);
      return [context.status, context.body];
    };
    readiness = { isReady: true, waitsFor: [], threadsAway: [], isStopping: false };
    expect(await answered(2)).to.deep.equal([200, { status: "ready" }]);
    expect(await answered(1)).to.deep.equal([503, { status: "busy" }]);
  });

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
