import { expect } from "chai";
import { EmbeddingServer } from "../../../src/adapters/models/embeddingServer.js";
import { ModelServer } from "../../../src/adapters/models/modelServer.js";
import { RememberedMeanings } from "../../../src/adapters/models/rememberedMeanings.js";
import { ModelCalls, type ModelServerFailure } from "../../../src/shared/modelCalls.js";
import { startScriptedJson, type JsonReply, type ScriptedJson } from "../../support/models/scriptedJson.js";

interface Asked {
  readonly input: readonly string[];
}

const vectors = (...embeddings: readonly unknown[]) => ({
  data: embeddings.map((embedding, index) => ({ index, embedding })),
});

describe("a server that makes vectors", () => {
  let upstream: ScriptedJson<Asked>;
  let server: ModelServer;
  let embedder: EmbeddingServer;

  before(async () => {
    upstream = await startScriptedJson<Asked>(() => 500);
    server = new ModelServer({ url: upstream.url, route: "embeddings", apiKey: null, timeoutMs: 60_000 });
    embedder = new EmbeddingServer(server, { name: "small", dimensions: 2, prefix: null, passagePrefix: null });
  });
  after(async () => {
    await server.close();
    await upstream.stop();
  });

  const troubleOf = (reply: JsonReply, texts: readonly string[] = ["a", "b"]): Promise<string> => {
    upstream.answers(() => reply);
    return embedder.embed(texts).then(
      () => "none",
      ({ trouble }: ModelServerFailure) => trouble,
    );
  };

  it("is sent the texts, and answers with vectors of length 1, in any order", async () => {
    upstream.take();
    upstream.answers(() => ({
      data: [
        { index: 1, embedding: [0, 2] },
        { index: 0, embedding: [3, 4] },
      ],
    }));
    const found = await embedder.embed(["first", "second"]);
    expect(found.map((vector) => Array.from(vector, (value) => Math.round(value * 10) / 10))).to.deep.equal([
      [0.6, 0.8],
      [0, 1],
    ]);
    const [asked] = upstream.take();
    expect(asked?.path).to.equal("/v1/embeddings");
    expect(asked?.body).to.deep.equal({ model: "small", dimensions: 2, input: ["first", "second"] });
    expect(asked?.headers).not.to.have.property("authorization");
  });

  it("is sent each text after what the model wants before it, which for passages makes it another model", async () => {
    upstream.take();
    upstream.answers(() => vectors([1], [1]));
    const asked = { name: "e5", dimensions: null, passagePrefix: "passage:" };
    const queries = new EmbeddingServer(server, { ...asked, prefix: "query:" });
    const passages = new EmbeddingServer(server, { ...asked, prefix: "passage:" });
    await queries.embed(["a", "b"]);
    await passages.embed(["a", "b"]);
    expect(upstream.take().map(({ body }) => body.input)).to.deep.equal([
      ["query: a", "query: b"],
      ["passage: a", "passage: b"],
    ]);
    expect(queries.model).to.equal(passages.model);
    const others = new EmbeddingServer(server, { ...asked, prefix: null, passagePrefix: null });
    expect(others.model).not.to.equal(passages.model);
  });

  const nonsense: readonly (readonly [name: string, reply: JsonReply])[] = [
    ["no data", {}],
    ["too few vectors", vectors([1])],
    ["no vectors", vectors()],
    ["too many", vectors([1], [1], [1])],
    ["one text twice", { data: [0, 0].map((index) => ({ index, embedding: [1] })) }],
    ["an index of no text", { data: [0, 0.5].map((index) => ({ index, embedding: [1] })) }],
    ["an empty vector", vectors([], [])],
    ["what are no numbers", vectors([1], ["1"])],
    ["what JSON has instead of NaN", vectors([1], [null])],
    ["a number whose square is none", vectors([1], [1e200])],
    ["a vector that points nowhere", vectors([1, 0], [0, 0])],
    ["vectors of different lengths", vectors([1, 0], [1])],
    ["base64", vectors("AAAA", "AAAA")],
  ];
  for (const [name, reply] of nonsense)
    it(`fails where it answers with ${name}`, async () => {
      expect(await troubleOf(reply)).to.equal("malformed");
    });

  it("tells apart that it refuses a text, and that it refuses all", async () => {
    expect(await troubleOf(400)).to.equal("rejected");
    expect(await troubleOf(413)).to.equal("rejected");
    expect(await troubleOf(500)).to.equal("rejected");
    expect(await troubleOf(401)).to.equal("refused");
    expect(await troubleOf(503)).to.equal("refused");
  });

  it("is asked once what a query means, and not again for its pages", async () => {
    const meanings = new RememberedMeanings(embedder, 0.5, new ModelCalls(() => undefined));
    upstream.answers(() => 500);
    expect(await meanings.meaningOf("car")).to.equal(null);
    upstream.answers(() => vectors([1, 0]));
    upstream.take();
    const meaning = await meanings.meaningOf("car");
    expect(meaning?.leastSimilarity).to.equal(0.5);
    expect(await meanings.meaningOf(" car ")).to.equal(meaning);
    expect(upstream.take().map(({ body }) => body.input)).to.deep.equal([["car"]]);
  });
});
