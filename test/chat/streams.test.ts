import { expect } from "chai";
import type { AnswerEvent } from "../../src/chat/chat.js";
import { framesOf } from "../../src/chat/routes/chat.js";
import { calls, type Script } from "../support/models/scriptedModel.js";
import { passage, question, startChat, tools, type ChatUnderTest } from "./chatUnderTest.js";

const silent: Script = () => undefined;

describe("streams of chat", () => {
  let chat: ChatUnderTest;
  before(async () => {
    chat = await startChat({ searches: { internalSearch: { search: () => Promise.resolve([passage()]) } } });
  });
  after(() => chat.stop());

  it("keep the connection alive with comments for as long as nothing comes", async () => {
    const events = new Promises<IteratorResult<AnswerEvent, void>>();
    const answer = { id: "chatcmpl-1", model: "small", created: 0 };
    const rest = { next: () => events.next() };
    const frames = framesOf(
      { ...answer, events: { [Symbol.asyncIterator]: () => rest }, droppedMessages: () => 0, toolsLeftOut: () => [] },
      { includeUsage: false, first: rest.next(), rest, gone: new AbortController().signal, keepAliveMs: 1 },
    );
    const next = async (): Promise<string> => String((await frames.next()).value);
    const keepAlive = ": keep-alive\n\n";
    expect([await next(), await next()]).to.deep.equal([keepAlive, keepAlive]);
    events.settle({ value: { kind: "text", text: "Well" } });
    expect(await next()).to.contain('"Well"');
    expect([await next(), await next()]).to.deep.equal([keepAlive, keepAlive]);
    events.settle({ done: true, value: undefined });
    expect(await next()).to.equal("data: [DONE]\n\n");
    expect((await frames.next()).done).to.equal(true);
  });

  const rounds: readonly (readonly [when: string, scripts: readonly Script[]])[] = [
    ["before the model's first sign", [silent]],
    ["after a tool was run", [calls(["internalSearch", { query: "leave" }]), silent]],
  ];
  for (const [when, scripts] of rounds)
    it(`stop the model's server when the client leaves ${when}`, async () => {
      chat.model.take();
      chat.model.plays(...scripts);
      const leaving = new AbortController();
      const body = question("Hi", { ...tools("internalSearch"), stream: true });
      const answer = chat.ask(body, "key", leaving.signal).catch(() => undefined);
      while (chat.model.asked.length < scripts.length || chat.model.open === 0) await new Promise(setImmediate);
      leaving.abort();
      await Promise.all([chat.model.idle(), answer]);
    });
});

/** What is waited for, settled one after the other when a test says so. */
class Promises<Value> {
  private readonly waiting: ((value: Value) => void)[] = [];

  next(): Promise<Value> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  settle(value: Value): void {
    this.waiting.shift()?.(value);
  }
}
