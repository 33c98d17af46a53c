import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { rm } from "node:fs/promises";
import { expect } from "chai";
import { type ApiClient, Freshness } from "../support/apiClient.js";
import { Balancer, describeWithBalancer, replicaHosts } from "../support/balancer.js";
import { freePort } from "../support/freePort.js";
import { begins, ending, frameOf, startScriptedModel, type ScriptedModel } from "../support/models/scriptedModel.js";
import { createPerson, createServiceAccount, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";

const datasource = "handbook";
const email = "ada@example.org";

describeWithBalancer("the balancer before two api processes", () => {
  let dataDir: string;
  let model: ScriptedModel;
  let projector: ServerProcess;
  let replicas: readonly ServerProcess[];
  let balancer: Balancer;
  let client: ApiClient;
  let person: ApiClient;

  before(async () => {
    dataDir = newDataDir();
    model = await startScriptedModel();
    const port = await freePort();
    const settings = { ROLE: "api", PORT: String(port), TRUSTED_PROXIES: "1", LLM_URL: model.url };
    [projector, ...replicas] = await Promise.all([
      ServerProcess.start(dataDir, { ROLE: "projector" }),
      ...replicaHosts.map((HOST) => ServerProcess.start(dataDir, { ...settings, HOST })),
    ]);
    balancer = await Balancer.start(port);
    const freshness = new Freshness();
    client = await createServiceAccount(dataDir, balancer.url, freshness);
    person = await createPerson(dataDir, balancer.url, email, freshness);
    expect((await client.post("/api/indexing/datasources", { name: datasource })).status).to.equal(200);
    expect((await client.post("/api/indexing/users", { datasource, user: { email } })).status).to.equal(200);
  });
  after(async () => {
    await balancer.stop();
    for (const server of [projector, ...replicas]) await server.kill();
    await model.stop();
    await rm(dataDir, { recursive: true });
  });

  const push = (id: string, body: object) =>
    client.post<{ readonly results: readonly { readonly outcome: string }[] }>("/api/indexing/documents", {
      documents: { datasource, id, title: `Travel ${id}`, file_type: "file", body },
    });

  it("takes a push of 100 MB", async () => {
    const largest = Buffer.alloc(104_857_600).toString("base64");
    const { status, body } = await push("large", { mime_type: "application/octet-stream", binary_base64: largest });
    expect(status).to.equal(200);
    expect(body.results.map(({ outcome }) => outcome)).to.deep.equal(["skipped"]);
  });

  it("finds through one replica what was pushed through any", async () => {
    for (const id of ["first", "second", "third"])
      expect((await push(id, { mime_type: "text/plain", text_content: "text" })).status).to.equal(200);
    const found = await person.get<{ readonly total: number }>("/api/beta/search?query=travel");
    expect(found.body.total).to.equal(3);
  });

  it("passes a streamed chat on as it comes", async () => {
    let seen = (): void => undefined;
    const hasSeen = new Promise<void>((resolve) => (seen = resolve));
    model.plays(async (response) => {
      begins(response).write(frameOf({ content: "Thirty" }));
      await hasSeen;
      response.end(frameOf({ content: " days" }) + ending());
    });
    const answer = await fetch(`${balancer.url}/api/beta/amberai/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${person.credential}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "small", stream: true, messages: [{ role: "user", content: "How many?" }] }),
    });
    expect(answer.status).to.equal(200);
    let text = "";
    for await (const bytes of answer.body ?? []) {
      text += Buffer.from(bytes).toString();
      // The model says the rest once this has come.
      if (text.includes("Thirty")) seen();
    }
    expect(text)
      .to.include(" days")
      .and.match(/data: \[DONE\]\n\n$/);
  });

  it("passes on the longest query that the service takes, and tells nobody what was asked", async () => {
    const query = encodeURIComponent("ü".repeat(4_000));
    expect((await person.get(`/api/beta/search?query=${query}`)).status).to.equal(200);
    expect(balancer.requests()).to.equal("");
  });

  it("tells strangers no metrics", async () => {
    const answer = await fetch(`${balancer.url}/metrics`);
    expect([answer.status, await answer.text()]).to.deep.include(404);
  });

  it("goes on with one replica, for reads and for writes, when the other is gone", async () => {
    await replicas[0]?.kill();
    for (let turn = 0; turn < 8; turn++) {
      expect((await push(`later-${turn}`, { mime_type: "text/plain", text_content: "text" })).status).to.equal(200);
      expect((await fetch(`${balancer.url}/health/ready`)).status).to.equal(200);
    }
  });
});

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

const refuses: Answering = (_, response) =>
  response.writeHead(503, { "retry-after": "7", "content-type": "application/json" }).end('{"detail":"Not now."}');
const hangsUp: Answering = (request) => request.socket.destroy();
const answers: Answering = (_, response) => response.end("done");

describeWithBalancer("the balancer before two replicas of which one cannot answer", () => {
  let balancer: Balancer;
  let servers: readonly Server[];
  let answering: readonly Answering[] = [];
  /** How often each was asked. */
  let asked: [number, number] = [0, 0];

  before(async () => {
    const port = await freePort();
    servers = replicaHosts.map((_, at) =>
      createServer((request, response) => {
        // Of a request that is refused on the way, too, the whole body has come.
        request.resume().once("end", () => {
          asked[at as 0 | 1]++;
          answering[at]?.(request, response);
        });
      }),
    );
    await Promise.all(servers.map((server, at) => once(server.listen(port, replicaHosts[at]), "listening")));
    balancer = await Balancer.start(port);
  });
  after(async () => {
    await balancer.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    }
  });

  const ask = (method: string): Promise<Response> =>
    fetch(`${balancer.url}/any`, { method, body: method === "POST" || method === "PUT" ? "{}" : undefined });

  /**
   * Asks until the first replica has been asked, and answers with all statuses, of which the last is that request's.
   */
  async function untilFirstIsAsked(method: string, ...replicas: readonly Answering[]): Promise<readonly number[]> {
    [answering, asked] = [replicas, [0, 0]];
    const statuses: number[] = [];
    while (asked[0] === 0) {
      const answer = await ask(method);
      await answer.text();
      statuses.push(answer.status);
    }
    return statuses;
  }

  for (const [how, cannot] of Object.entries({ "says that it cannot": refuses, "hangs up": hangsUp })) {
    for (const method of ["GET", "PUT", "DELETE"])
      it(`asks the other where the first ${how}: ${method}`, async () => {
        const statuses = await untilFirstIsAsked(method, cannot, answers);
        expect(new Set(statuses)).to.deep.equal(new Set([200]));
        expect(asked).to.deep.equal([1, statuses.length]);
      });

    it(`sends no POST twice where the first ${how}`, async () => {
      const statuses = await untilFirstIsAsked("POST", cannot, answers);
      expect(statuses.at(-1)).to.equal(cannot === refuses ? 503 : 502);
      expect(asked).to.deep.equal([1, statuses.length - 1]);
    });
  }

  it("passes on what the last one says where none can answer", async () => {
    [answering, asked] = [
      [refuses, refuses],
      [0, 0],
    ];
    const answer = await ask("GET");
    expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).to.deep.equal([
      503,
      "7",
      '{"detail":"Not now."}',
    ]);
    expect(asked).to.deep.equal([1, 1]);
  });
});
