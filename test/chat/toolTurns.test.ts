import { expect } from "chai";
import { fails, says, seenIn, type WireMessage } from "../support/models/scriptedModel.js";
import { passage, startChat, tools, type ChatUnderTest } from "./chatUnderTest.js";

const call = (id: string, given = '{"city":"Graz"}', name = "weather") => ({
  ...{ id, type: "function", function: { name, arguments: given } },
});
const calling = (...ids: readonly string[]) => ({
  ...{ role: "assistant", content: null, tool_calls: ids.map((id) => call(id)) },
});
const told = (id: string, content: unknown = `Rain by ${id}`) => ({ role: "tool", tool_call_id: id, content });
const user = (content: string) => ({ role: "user", content });

describe("conversations in which a client's own tools were called", () => {
  let chat: ChatUnderTest;
  before(async () => {
    chat = await startChat({ searches: { internalSearch: { search: () => Promise.resolve([passage()]) } } });
  });
  after(() => chat.stop());

  const statusOf = async (messages: readonly object[], more: object = {}): Promise<number> =>
    (await chat.ask({ model: "small", messages, ...more })).status;
  const seen = async (messages: readonly object[], more: object = {}): Promise<readonly WireMessage[]> => {
    chat.model.plays(says("Take an umbrella."));
    expect(await statusOf(messages, more)).to.equal(200);
    return chat.model.take().at(-1)?.body.messages.slice(1) ?? [];
  };

  it("reach the model as they are, where each call has its answer", async () => {
    const messages = await seen([
      user("Rain?"),
      calling("a", "b"),
      told("b"),
      told("a", [{ type: "text", text: "No" }]),
    ]);
    expect(messages).to.deep.equal([
      user("Rain?"),
      { ...calling("a", "b"), content: "" },
      told("b"),
      { ...told("a"), content: "No" },
    ]);
  });

  it("reach it as text, where a call or an answer stands alone", async () => {
    const alone: readonly (readonly object[])[] = [
      [calling("a", "b"), told("a")],
      [calling("a"), told("a"), told("b")],
      [
        { role: "assistant", tool_calls: [{ ...call("a"), id: null }] },
        { role: "tool", content: "Rain by a" },
      ],
      [told("a")],
    ];
    for (const turns of alone) {
      const messages = await seen([user("Rain?"), ...turns, user("So?")]);
      expect(messages.some(({ role, tool_calls: calls }) => role === "tool" || calls !== undefined)).to.equal(false);
      const text = JSON.stringify(messages);
      expect(text).to.contain("Rain by a").and.contain("It is data");
      expect(text.includes("Called the tool weather with")).to.equal(turns.length > 1);
      const roles = messages.map(({ role }) => role);
      expect(
        roles.every((role, at) => role !== roles[at + 1]),
        roles.join(),
      ).to.equal(true);
    }
  });

  it("hold arguments as JSON objects, whatever their clients have written", async () => {
    const given = ['{"city":"Graz"}', "Graz", "", "[1]"];
    const calls = given.map((text, at) => call(`c${at}`, text));
    const answers = given.map((_, at) => told(`c${at}`));
    const messages = await seen([user("Rain?"), { role: "assistant", tool_calls: calls }, ...answers]);
    const sent = messages[1]?.tool_calls as unknown as readonly { function: { arguments: string } }[];
    expect(sent.map(({ function: { arguments: written } }) => JSON.parse(written) as unknown)).to.deep.equal([
      { city: "Graz" },
      { text: "Graz" },
      {},
      { text: "[1]" },
    ]);
  });

  it("hold messages that say nothing, which are passed over, and what was declined", async () => {
    const messages = await seen([
      ...[{ role: "system" }, { role: "user", content: null }, { role: "assistant" }, user("Rain?")],
      ...[{ role: "assistant", content: null, refusal: "I cannot say." }, user("Why?")],
      { role: "assistant", content: [{ type: "refusal", refusal: "I must not." }] },
      user("So?"),
    ]);
    expect(messages.map(({ content }) => content)).to.deep.equal([
      ...["Rain?", "I cannot say.", "Why?", "I must not.", "So?"],
    ]);
    for (const [content, type] of [
      [null, "string_type"],
      [undefined, "missing"],
    ] as const) {
      const answer = await chat.ask({ model: "small", messages: [user("Rain?"), { role: "user", content }] });
      const { detail } = (await answer.json()) as { detail: readonly { loc: object; type: string }[] };
      expect(detail.map(({ loc, type: kind }) => [loc, kind])).to.deep.equal([
        [["body", "messages", 1, "content"], type],
      ]);
    }
  });

  it("are told as text to a server that takes none of them", async () => {
    chat.model.plays(
      fails(400, { error: { message: "messages: tool calling requires the tools= param" } }),
      says("No."),
    );
    expect(await statusOf([user("Rain?"), calling("a"), told("a"), user("So?")])).to.equal(200);
    const [first, second] = chat.model.take();
    expect(first?.body.messages.map(({ role }) => role)).to.include("tool");
    expect(second?.body.messages.map(({ role }) => role)).to.deep.equal(["system", "user", "assistant", "user"]);
    expect(second && seenIn(second)).to.contain("Rain by a");
  });

  it("lose calls and their answers together, where they are too long", async () => {
    chat.model.plays(fails(400, { error: { code: "context_length_exceeded", message: "Too long" } }), says("Fits."));
    const old = [user("Rain?"), calling("a"), told("a"), { role: "assistant", content: "Yes." }];
    expect(await statusOf([...old, user("And snow?"), calling("b"), told("b"), user("So?")])).to.equal(200);
    const roles = chat.model
      .take()
      .at(-1)
      ?.body.messages.map(({ role }) => role);
    expect(roles).to.deep.equal(["system", "user", "assistant", "tool", "user"]);
  });

  it("close the web where documents may be searched: a tool may have read one", async () => {
    chat.model.plays(says("No."));
    await chat.ask({
      ...{ model: "small", messages: [user("Rain?"), told("a"), user("So?")] },
      ...tools("internalSearch", "webSearch"),
    });
    const offered = chat.model
      .take()
      .at(-1)
      ?.body.tools?.map(({ function: { name } }) => name);
    expect(offered).to.deep.equal(["internalSearch"]);
  });

  it("are passed over by the extractive model", async () => {
    const messages = [user("How much leave?"), calling("a"), told("a"), { role: "assistant" }];
    const answer = await chat.ask({ model: "amber-extractive", messages, ...tools("internalSearch") });
    expect(await answer.text()).to.contain("Thirty days of leave.");
  });
});
