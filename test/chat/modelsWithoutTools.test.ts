import { expect } from "chai";
import { ModelsWithoutTools } from "../../src/chat/models/modelsWithoutTools.js";
import { begins, calls, fails, says, type Script } from "../support/models/scriptedModel.js";
import { framesIn, passage, question, startChat, tools, type ChatUnderTest } from "./chatUnderTest.js";

const ollama = { error: { message: "gemma:2b does not support tools", type: "api_error" } };
const inStream: Script = (response) =>
  void begins(response).end(
    `data: ${JSON.stringify({ error: { message: '"auto" tool choice requires a parser' } })}\n\n`,
  );

const refusals: readonly (readonly [who: string, script: Script])[] = [
  ["Ollama", fails(400, ollama)],
  ["OpenRouter", fails(404, { error: { message: "No endpoints found that support tool use." } })],
  ["llama.cpp", fails(500, { error: { message: "tools param requires --jinja flag" } })],
  ["a server that says so in its stream", inStream],
];

describe("models that take no tools", () => {
  let chat: ChatUnderTest;
  beforeEach(async () => {
    chat = await startChat({ searches: { internalSearch: { search: () => Promise.resolve([passage()]) } } });
  });
  afterEach(() => chat.stop());

  const searching = (more: object = {}): object => question("How much leave?", { ...tools("internalSearch"), ...more });
  const offered = () => chat.model.take().map(({ body }) => body.tools?.length ?? 0);

  for (const [who, script] of refusals)
    it(`are asked again without, and the person is told: ${who}`, async () => {
      chat.model.plays(script, says("I do not know."));
      const answer = await chat.ask(searching());
      expect([answer.status, answer.headers.get("x-tools-left-out")]).to.deep.equal([200, "internalSearch"]);
      const told = (await answer.json()) as { tools_left_out: { tools: object; message: string } };
      expect(told.tools_left_out.tools).to.deep.equal(["internalSearch"]);
      expect(told.tools_left_out.message).to.match(/takes no tools/);
      expect(chat.model.asked.at(-1)?.body.messages[0]?.content).to.match(/No tool can be called in this answer/);
      expect(offered()).to.deep.equal([1, 0]);
    });

  it("are remembered for a while, streamed or not", async () => {
    chat.model.plays(fails(400, ollama), says("No idea."), says("No idea."), says("No idea."));
    await (await chat.ask(searching())).text();
    const streamed = await chat.ask(searching({ stream: true }));
    expect(streamed.headers.get("x-tools-left-out")).to.equal("internalSearch");
    expect((await framesIn(streamed)).at(-1)).to.have.nested.property("tools_left_out.tools[0]", "internalSearch");
    const without = await chat.ask(question("Hi"));
    expect(await without.json()).not.to.have.property("tools_left_out");
    expect(offered()).to.deep.equal([1, 0, 0, 0]);
    let now = 0;
    const models = new ModelsWithoutTools(() => now);
    models.add("small");
    now = 599_999;
    expect([models.has("small"), models.has("other")]).to.deep.equal([true, false]);
    now = 600_000;
    expect(models.has("small")).to.equal(false);
  });

  it("are not asked again where they were offered none, or refuse something else", async () => {
    chat.model.plays(fails(400, ollama));
    expect((await chat.ask(question("Hi"))).status).to.equal(502);
    chat.model.plays(fails(400, { error: { message: "The tool is broken" } }));
    expect((await chat.ask(searching())).status).to.equal(502);
    chat.model.plays(fails(400, ollama), fails(400, ollama));
    expect((await chat.ask(searching())).status).to.equal(502);
    chat.model.plays(calls(["internalSearch", { query: "leave" }]), says("Thirty [1]."));
    expect(offered()).to.deep.equal([0, 1, 1, 0]);
  });
});
