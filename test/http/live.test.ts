import { expect } from "chai";
import type { ProjectionsAnswer } from "../../src/readModels/projectionStatus.js";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

describe("read models, watched", () => {
  let service: ServiceUnderTest;
  let operator: ApiClient;
  before(async () => {
    service = await startServiceUnderTest();
    operator = await service.person("root@example.org", "operator");
  });
  after(() => service?.stop());

  const watch = (query = ""): Promise<Response> =>
    fetch(`${service.url}/api/admin/projections/live${query}`, {
      headers: { authorization: `Bearer ${operator.credential}` },
    });

  it("are told at once, and again when something has changed", async () => {
    const response = await watch();
    expect([response.status, response.headers.get("content-type")]).to.deep.equal([200, "text/event-stream"]);
    const decoder = new TextDecoder();
    let text = "";
    let paused = false;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const events = text
        .split("\n\n")
        .slice(0, -1)
        .filter((event) => event.startsWith("data: "))
        .map((event) => JSON.parse(event.slice("data: ".length)) as ProjectionsAnswer);
      const state = events.at(-1)?.projections.find(({ name }) => name === "search")?.state;
      if (paused && state === "paused") break;
      if (events.length > 0 && !paused) {
        expect(state).to.equal("running");
        paused = true;
        expect((await operator.post("/api/admin/projections/search/pause")).status).to.equal(200);
      }
    }
    expect(text).to.contain('"rate"');
    await operator.post("/api/admin/projections/search/resume");
  });

  it("are told as often as was asked, and to operators alone", async () => {
    expect(await (await watch("?updates=1")).text()).to.match(/^data: \{.*\}\n\n$/);
    expect((await watch("?updates=0")).status).to.equal(422);
    const auditor = await service.person("eve@example.org", "auditor");
    expect((await auditor.get("/api/admin/projections/live")).status).to.equal(403);
  });

  it("hold up no service that ends", async () => {
    const other = await startServiceUnderTest();
    const key = (await other.person("root@example.org", "operator")).credential;
    const response = await fetch(`${other.url}/api/admin/projections/live`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const read = response.text();
    await other.stop();
    expect(await read).to.contain("data: ");
  });
});
