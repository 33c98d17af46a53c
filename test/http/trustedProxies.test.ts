import { expect } from "chai";
import { appConfigOfFakes, startAppWithFakes } from "./appWithFakes.js";

/** How often what is no sign-in may come from one address. */
const mostOfAddress = 100;

describe("the address of a client", () => {
  /** The head that reaches the service by so many proxies, each of which adds whom it has it from. */
  const through = (proxies: number, forged: string, client: string): string =>
    [forged, client, "10.0.0.1", "10.0.0.2"].slice(0, 1 + proxies).join(", ");

  for (const proxies of [0, 1, 2])
    it(`is what ${proxies} trusted proxies say, whatever the client writes before them`, async () => {
      const app = await startAppWithFakes({
        dependencies: { config: { ...appConfigOfFakes, trustedProxies: proxies } },
      });
      const send = async (forwardedFor: string): Promise<number> => {
        const headers = { "content-type": "application/json", "x-forwarded-for": forwardedFor };
        return (await fetch(`${app.url}/api/session`, { method: "POST", headers, body: "{" })).status;
      };
      const [one, other] = ["203.0.113.7", "203.0.113.8"];
      for (let times = 0; times < mostOfAddress; times++)
        expect(await send(through(proxies, `198.51.100.${times}`, one))).to.equal(422);
      expect(await send(through(proxies, "198.51.100.250", one))).to.equal(429);
      // Where no proxy is trusted, all of these come from this machine.
      expect(await send(through(proxies, one, other))).to.equal(proxies === 0 ? 429 : 422);
      await app.stop();
    });
});
