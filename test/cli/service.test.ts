import { PassThrough } from "node:stream";
import { expect } from "chai";
import { ApiClient } from "../../src/cli/apiClient.js";
import { Service } from "../../src/cli/service.js";
import { Terminal } from "../../src/cli/terminal.js";
import { startScriptedApi, type ScriptedAnswer, type ScriptedApi } from "./scriptedApi.js";

describe("a command's client", () => {
  let api: ScriptedApi;
  afterEach(() => api.close());

  const refusal = async (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => "no failure",
      (error: Error) => error.message,
    );

  it("waits as long as it is told to, and says why", async () => {
    const answers: ScriptedAnswer[] = [{ status: 503, body: { detail: "Not yet." }, headers: { "retry-after": "1" } }];
    api = await startScriptedApi(() => answers.shift() ?? { status: 200, body: { done: true } });
    const reasons: string[] = [];
    const client = new ApiClient({ url: api.url, credential: "secret", onRetry: (reason) => reasons.push(reason) });
    const begun = performance.now();
    expect((await client.request({ method: "POST", path: "/x", body: {} })).body).to.deep.equal({ done: true });
    expect(performance.now() - begun).to.be.at.least(990);
    expect(reasons).to.deep.equal(["answered 503: Not yet."]);
    expect(api.received.map(({ body }) => body)).to.deep.equal([{}, {}]);
  });

  it("sends again what came too slowly", async () => {
    const answers: ScriptedAnswer[] = [{ status: 408, body: { detail: "The body came too slowly." } }];
    api = await startScriptedApi(() => answers.shift() ?? { status: 200, body: { done: true } });
    const reasons: string[] = [];
    const client = new ApiClient({ url: api.url, credential: "secret", onRetry: (reason) => reasons.push(reason) });
    expect((await client.request({ method: "POST", path: "/x", body: {} })).body).to.deep.equal({ done: true });
    expect(reasons).to.deep.equal(["answered 408: The body came too slowly."]);
  });

  it("does not wait for what a person has to repair", async () => {
    api = await startScriptedApi(() => ({
      status: 503,
      body: { detail: "An operator has to repair it." },
      headers: { "retry-after": "30" },
    }));
    const client = new ApiClient({ url: api.url, credential: "secret" });
    expect(await refusal(client.request({ method: "GET", path: "/x" }))).to.equal(
      "The service answered 503: An operator has to repair it.",
    );
    expect(api.received).to.have.length(1);
  });

  it("ends with what has interrupted it, also while it waits", async () => {
    const interrupted = new AbortController();
    api = await startScriptedApi(() => "torn");
    const client = new ApiClient({
      ...{ url: api.url, credential: "secret", signal: interrupted.signal },
      onRetry: () => setImmediate(() => interrupted.abort(new Error("It was interrupted."))),
    });
    expect(await refusal(client.request({ method: "GET", path: "/x" }))).to.equal("It was interrupted.");
  });
});

describe("a service on the data folder", () => {
  let api: ScriptedApi;
  afterEach(() => api.close());

  const serviceAt = (url: string, standstillMs?: number): Service => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const terminal = new Terminal({
      ...{ stdin, stdout, stderr, environment: {} },
      interruption: () => new AbortController().signal,
    });
    const local = {
      url,
      dataDir: "",
      credential: "secret",
      freed: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    };
    return new Service(terminal, { ...local, local, standstillMs });
  };
  const status = (name: string, position: string | null, state = "running"): object => ({ name, position, state });

  it("is asked once the projections that count have come as far as the log was", async () => {
    const positions = ["0", "3", "9"];
    api = await startScriptedApi(() => {
      const projections = [
        status("history", positions.shift() ?? "9"),
        status("search", "0"),
        status("x", "0", "paused"),
      ];
      return { status: 200, body: { log: positions.length === 2 ? "9" : "20", projections } };
    });
    await serviceAt(api.url).untilProjected(["history", "x"]);
    expect(api.received).to.have.length(3);
  });

  it("is not waited for where projections stand still", async () => {
    api = await startScriptedApi(() => ({ status: 200, body: { log: "9", projections: [status("history", "3")] } }));
    const waited = await serviceAt(api.url, 0)
      .untilProjected(["history"])
      .catch((error: Error) => error.message);
    expect(waited).to.match(/^the read models have not moved for/);
  });
});
