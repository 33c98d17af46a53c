import { expect } from "chai";
import { ModelServer } from "../../../src/adapters/models/modelServer.js";
import { RerankServer } from "../../../src/adapters/models/rerankServer.js";
import { ModelCalls } from "../../../src/shared/modelCalls.js";
import { startScriptedJson, type JsonReply, type ScriptedJson } from "../../support/models/scriptedJson.js";

interface Asked {
  readonly model?: string;
  readonly query: string;
  readonly documents: readonly string[];
  readonly top_n: number;
}

const texts = ["first", "second", "third"];
const scored = (...scores: readonly [number, unknown][]) => ({
  id: "1",
  results: scores.map(([index, score]) => ({ index, relevance_score: score })),
});

describe("a server that orders texts", () => {
  let upstream: ScriptedJson<Asked>;
  let opened: ModelServer[];
  let calls: ModelCalls;
  let troubles: readonly string[];

  before(async () => {
    upstream = await startScriptedJson<Asked>(() => scored([0, 1]));
  });
  after(() => upstream.stop());
  beforeEach(() => {
    opened = [];
    troubles = [];
    calls = new ModelCalls(({ message }) => void (troubles = [...troubles, message]));
    upstream.take();
  });
  afterEach(() => Promise.all(opened.map((server) => server.close())));

  const reranker = ({ url = upstream.url, model = null as string | null, timeoutMs = 60_000 } = {}): RerankServer => {
    const server = new ModelServer({ url, route: "rerank", apiKey: "secret-key", timeoutMs });
    opened.push(server);
    return new RerankServer(server, model, calls);
  };

  it("is sent the query and the texts, and tells their order", async () => {
    upstream.answers(() => scored([1, 0.1], [2, 0.9], [0, 0.5]));
    expect(await reranker({ model: "small" }).order("a question", texts)).to.deep.equal([2, 0, 1]);
    const [asked] = upstream.take();
    expect(asked?.path).to.equal("/v1/rerank");
    expect(asked?.headers.authorization).to.equal("Bearer secret-key");
    expect(asked?.body).to.deep.equal({ model: "small", query: "a question", documents: texts, top_n: 3 });
  });

  it("may be named by its route, and may have one model alone", async () => {
    await reranker({ url: `${upstream.url}/rerank/?tenant=1` }).order("a question", texts);
    const [asked] = upstream.take();
    expect(asked?.path).to.equal("/v1/rerank?tenant=1");
    expect(asked?.body).not.to.have.property("model");
  });

  it("leaves equal ones and those that it does not tell of as they were", async () => {
    upstream.answers(() => scored([2, 0.5], [1, 0.5]));
    expect(await reranker().order("a question", texts)).to.deep.equal([1, 2, 0]);
    upstream.answers(() => scored());
    expect(await reranker().order("another", texts)).to.deep.equal([0, 1, 2]);
  });

  it("is asked once for one order", async () => {
    const asking = reranker();
    await asking.order("a question", texts);
    await asking.order("a question", texts);
    await asking.order("a question", [...texts, "fourth"]);
    expect(upstream.take()).to.have.length(2);
  });

  const nonsense: readonly (readonly [name: string, reply: JsonReply, outcome: string])[] = [
    ["what is no JSON", "<html>", "malformed"],
    ["null", "null", "malformed"],
    ["no results", {}, "malformed"],
    ["an index beyond the texts", scored([3, 1]), "malformed"],
    ["an index below 0", scored([-1, 1]), "malformed"],
    ["an index that is no whole number", scored([0.5, 1]), "malformed"],
    ["one text twice", scored([0, 1], [0, 2]), "malformed"],
    ["a score that is no number", scored([0, "high"]), "malformed"],
    ["an error", 500, "rejected"],
    ["that the key is wrong", 401, "refused"],
  ];
  for (const [name, reply, outcome] of nonsense)
    it(`gives no order where it answers ${name}, and its words go nowhere`, async () => {
      upstream.answers(() => reply);
      expect(await reranker().order("a private question", texts)).to.equal(null);
      expect(Object.fromEntries(calls.counted())).to.deep.equal({ [outcome]: 1 });
      expect(troubles).to.have.length(1);
      expect(troubles.join()).not.to.match(/private|secret|first/);
    });

  it("gives no order where it is silent for too long", async () => {
    upstream.answers(() => "never");
    expect(await reranker({ timeoutMs: 20 }).order("a question", texts)).to.equal(null);
    expect(Object.fromEntries(calls.counted())).to.deep.equal({ timeout: 1 });
  });

  it("gives no order where nobody is there", async () => {
    const gone = await startScriptedJson(() => 500);
    await gone.stop();
    expect(await reranker({ url: gone.url }).order("a question", texts)).to.equal(null);
    expect(Object.fromEntries(calls.counted())).to.deep.equal({ unreachable: 1 });
  });
});
