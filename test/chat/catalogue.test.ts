import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readUpstreamsFile } from "../../src/adapters/models/upstreamsFile.js";
import { toUpstreamModels } from "../../src/adapters/models/openAiUpstream.js";
import { Catalogue } from "../../src/chat/models/catalogue.js";
import { UpstreamFailure, type ModelUpstream, type UpstreamModel } from "../../src/chat/ports/modelUpstream.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const model = (id: string): UpstreamModel => ({ id, created: 0, contextTokens: null, takesImages: false });

class FakeUpstream implements ModelUpstream {
  asked = 0;

  constructor(
    readonly name: string | null,
    public list: ModelUpstream["list"],
  ) {
    const listed = this.list;
    this.list = (signal) => {
      this.asked++;
      return listed(signal);
    };
  }

  ask(): never {
    throw new Error("Nobody is expected to ask.");
  }
}

const open = (upstream: ModelUpstream, models: readonly UpstreamModel[] = []) => ({
  upstream,
  models,
  isClosed: false,
});
const idsIn = async (catalogue: Catalogue): Promise<string[]> =>
  (await catalogue.list()).map(({ publicId }) => publicId);

describe("the catalogue of models", () => {
  it("is one list of all upstreams, whichever are down", async () => {
    const up = new FakeUpstream(null, () => Promise.resolve([model("small"), model("big")]));
    const named = new FakeUpstream("lab", () => Promise.resolve([model("org/small:7b")]));
    const down = new FakeUpstream("down", () => Promise.reject(new UpstreamFailure("unavailable", "Down.")));
    const catalogue = new Catalogue([open(up), open(named), open(down, [model("fixed")])]);
    expect(await idsIn(catalogue)).to.deep.equal(["small", "big", "lab/org/small:7b", "down/fixed"]);
    expect((await catalogue.find("lab/org/small:7b"))?.id).to.equal("org/small:7b");
    expect(await catalogue.find("org/small:7b")).to.equal(null);
  });

  it("renews what is old, keeps what an upstream served before it went down, and looks for what it does not know", async () => {
    let now = 0;
    let answer: () => Promise<readonly UpstreamModel[]> = () => Promise.resolve([model("one")]);
    const upstream = new FakeUpstream(null, () => answer());
    const catalogue = new Catalogue([open(upstream)], () => now);
    expect([await idsIn(catalogue), await idsIn(catalogue), upstream.asked]).to.deep.equal([["one"], ["one"], 1]);
    answer = () => Promise.reject(new Error("Down."));
    now += 60_000;
    await catalogue.list();
    await new Promise(setImmediate);
    expect([await idsIn(catalogue), upstream.asked]).to.deep.equal([["one"], 2]);
    answer = () => Promise.resolve([model("one"), model("two")]);
    now += 2_000;
    expect((await catalogue.find("two"))?.id).to.equal("two");
    await catalogue.find("three");
    expect(upstream.asked, "not asked again at once").to.equal(3);
  });

  it("asks an upstream for no list whose models are given, and completes what a setting leaves open", async () => {
    const closed = new FakeUpstream("a", () => Promise.reject(new Error("Nobody is expected to ask.")));
    const listed = { ...model("m"), created: 5, contextTokens: 4_096, takesImages: true };
    const asked = new FakeUpstream("b", () => Promise.resolve([listed]));
    const catalogue = new Catalogue([
      { upstream: closed, models: [model("x")], isClosed: true },
      open(asked, [model("m")]),
    ]);
    expect(await idsIn(catalogue)).to.deep.equal(["a/x", "b/m"]);
    expect(await catalogue.find("b/m")).to.deep.include({ created: 5, contextTokens: 4_096, takesImages: true });
    expect(closed.asked).to.equal(0);
  });

  it("reads what servers say of their models in their own words", () => {
    const data = [
      { id: "a", created: 1, context_length: 8_192, architecture: { input_modalities: ["text", "image"] } },
      { id: "b", max_model_len: 4_096.0, created: "x" },
      { id: "" },
      null,
    ];
    expect(toUpstreamModels({ data })).to.deep.equal([
      { id: "a", created: 1, contextTokens: 8_192, takesImages: true },
      { id: "b", created: 0, contextTokens: 4_096, takesImages: false },
    ]);
    expect([toUpstreamModels({}), toUpstreamModels(null)]).to.deep.equal([null, null]);
  });
});

describe("the upstreams file", () => {
  const folder = temporaryFolder("upstreams");
  after(() => folder.remove());
  const read = (text: string) => {
    const path = join(folder.path, "upstreams.yaml");
    writeFileSync(path, text);
    return readUpstreamsFile(path);
  };

  it("lists servers with the models that are served of them", () => {
    expect(
      read(`
- name: lab
  url: http://127.0.0.1:8000/v1
- name: cloud
  url: https://api.example.org/v1
  api_key_env: CLOUD_KEY
  models: [plain, { id: seeing, context_tokens: 128000, images: true }]
`),
    ).to.deep.equal([
      { name: "lab", url: "http://127.0.0.1:8000/v1", apiKeyEnv: null, models: null },
      {
        ...{ name: "cloud", url: "https://api.example.org/v1", apiKeyEnv: "CLOUD_KEY" },
        models: [model("plain"), { id: "seeing", created: 0, contextTokens: 128_000, takesImages: true }],
      },
    ]);
  });

  it("says what is wrong with it", () => {
    const server = (more: string): string => `- name: a\n  url: http://x/v1\n${more}`;
    const wrong: readonly (readonly [string, RegExp])[] = [
      ["a: 1", /list of servers/],
      ["- 1", /server 1: it has to have fields/],
      ["- name: a/b\n  url: http://x", /`name`/],
      ["- name: a\n  url: ftp://x", /`url`/],
      [server("  key: secret"), /no field "key"/],
      [server("  api_key_env: 1-2"), /`api_key_env`/],
      [server("  models: x"), /`models` has to be a list/],
      [server("  models: [{ id: m, context_tokens: 0 }]"), /`context_tokens` of "m"/],
      [server("  models: [{ id: m, images: maybe }]"), /`images` of "m"/],
      [`${server("")}${server("")}`, /two servers are named "a"/],
      ["[", /LLM_UPSTREAMS_FILE/],
    ];
    for (const [text, sentence] of wrong) expect(() => read(text), text).to.throw(sentence);
    expect(() => readUpstreamsFile(join(folder.path, "none"))).to.throw(/LLM_UPSTREAMS_FILE .*ENOENT/);
  });
});
