import { expect } from "chai";
import { RateLimits } from "../../src/http/limits.js";
import { toCredentialId } from "../../src/shared/ids.js";
import { appConfigOfFakes, startAppWithFakes } from "./appWithFakes.js";

describe("the rate of requests", () => {
  const [ada, bob] = [toCredentialId("ada"), toCredentialId("bob")];

  it("is bounded per credential, and regained over a minute", () => {
    let now = 0;
    const limits = new RateLimits(60, () => now);
    const taken = (count: number) => Array.from({ length: count }, () => limits.take(ada));
    expect(taken(61)).to.deep.equal([...Array.from({ length: 60 }, () => 0), 1]);
    expect(limits.take(bob)).to.equal(0);
    now += 2_000;
    expect(taken(3)).to.deep.equal([0, 0, 1]);
    now += 600_000;
    expect(taken(61).at(-1)).to.equal(1);
  });

  it("says how long to wait where a minute allows less than one a second", () => {
    const limits = new RateLimits(2, () => 0);
    expect([limits.take(ada), limits.take(ada), limits.take(ada)]).to.deep.equal([0, 0, 30]);
  });

  it("is not bounded where no setting says so", () => {
    const limits = new RateLimits(null);
    expect(new Set(Array.from({ length: 1_000 }, () => limits.take(ada)))).to.deep.equal(new Set([0]));
  });

  it("is answered with 429 and Retry-After beyond; health is not", async () => {
    const config = { ...appConfigOfFakes, rateLimitPerMinute: 1 };
    const app = await startAppWithFakes({ dependencies: { config } });
    const ask = (token: string, path: string) =>
      fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    try {
      expect((await ask("account", "/api/indexing/file-types")).status).to.equal(200);
      const refused = await ask("account", "/api/indexing/file-types");
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers.get("retry-after"))).to.be.within(1, 60);
      expect(await refused.json()).to.have.property("detail");
      expect((await ask("account", "/health/live")).status).to.equal(200);
    } finally {
      await app.stop();
    }
  });
});
