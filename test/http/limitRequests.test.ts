import { expect } from "chai";
import type { ApiContext } from "../../src/http/apiContext.js";
import { limitRequests } from "../../src/http/middleware/limitRequests.js";
import { RefusedRequest } from "../../src/http/refusedRequest.js";

describe("the bound of requests under way", () => {
  const contextOf = (path: string): ApiContext => ({ path, body: null }) as unknown as ApiContext;
  const never = () => new Promise<void>(() => undefined);
  const done = () => Promise.resolve();
  const statusOf = (asked: unknown): Promise<unknown> =>
    Promise.resolve(asked).then(
      () => 200,
      (error: unknown) => (error instanceof RefusedRequest ? error.refusal.status : error),
    );

  it("refuses what is too much, but never those who look after the service", async () => {
    const limit = limitRequests(2, new Set(["/health/live"]));
    let finish: () => void = () => undefined;
    const first = limit(contextOf("/a"), () => new Promise<void>((resolve) => (finish = resolve)));
    void limit(contextOf("/b"), never);
    expect(await statusOf(limit(contextOf("/c"), done))).to.equal(503);
    expect(await statusOf(limit(contextOf("/health/live"), done))).to.equal(200);
    finish();
    await first;
    expect(await statusOf(limit(contextOf("/c"), done))).to.equal(200);
    const failing = () => Promise.reject(new Error("It fails."));
    for (let times = 0; times < 3; times++)
      expect(await statusOf(limit(contextOf("/c"), failing))).to.be.instanceOf(Error);
    expect(await statusOf(limit(contextOf("/c"), done))).to.equal(200);
  });
});
