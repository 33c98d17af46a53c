import { expect } from "chai";
import type { ServedModel } from "../../src/chat/models/catalogue.js";
import type { ModelSign, Prompt } from "../../src/chat/ports/modelUpstream.js";
import { createSummarize } from "../../src/chat/webSummary.js";

const source = { url: "https://a.example/", title: "Rights", description: "", content: "A quarter is paid back." };
const end: ModelSign = { kind: "end", finishReason: "stop", usage: null };

describe("summaries of the web by a model", () => {
  const asked: Prompt[] = [];

  const summary = (signs: readonly ModelSign[] | Error) => {
    async function* ask(prompt: Prompt): AsyncIterable<ModelSign> {
      asked.push(prompt);
      if (signs instanceof Error) throw signs;
      yield* signs;
    }
    const upstream = { name: null, list: () => Promise.resolve([]), ask };
    const model: ServedModel = {
      id: "m",
      created: 0,
      contextTokens: null,
      takesImages: false,
      publicId: "m",
      upstream,
    };
    const models = { find: (id: string) => Promise.resolve(id === "m" ? model : null) };
    return createSummarize(models, "m")("fare", [source], new AbortController().signal);
  };
  const text = (said: string): ModelSign => ({ kind: "text", text: said });

  it("are what it writes from the fenced sources, without a tool", async () => {
    expect(await summary([text(" A "), text("quarter. "), end])).to.equal("A quarter.");
    const [prompt] = asked;
    expect(prompt).to.deep.include({ model: "m", tools: [] });
    expect(JSON.stringify(prompt?.messages)).to.include("fare").and.include(source.content);
  });

  it("are none where it fails, says nothing, does not end, or is not there", async () => {
    for (const signs of [new Error("down"), [end], [text("x".repeat(5_000)), end]])
      expect(await summary(signs)).to.equal(null);
    const nobody = createSummarize({ find: () => Promise.resolve(null) }, "m");
    expect(await nobody("fare", [source], new AbortController().signal)).to.equal(null);
  });
});
