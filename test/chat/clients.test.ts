import type { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ChatOpenAI } from "@langchain/openai";
import type * as AiSdk from "ai";
import { expect } from "chai";
import type OpenAI from "openai";
import type { APIError } from "openai";
import { begins, calls, drops, ending, fails, frameOf, says, type Script } from "../support/models/scriptedModel.js";
import { describeWithTestPackages } from "../support/testPackages.js";
import { base, passage, startChat, type ChatUnderTest } from "./chatUnderTest.js";

const internalSearch = { type: "function", function: { name: "internalSearch" } } as const;
const leave = [{ role: "user", content: "How much leave?" }] as const;

const declines =
  (refusal: string): Script =>
  (response) =>
    void begins(response).end(frameOf({ refusal }) + ending());

describeWithTestPackages("the usual clients", () => {
  let chat: ChatUnderTest;
  let openai: OpenAI;

  before(async () => {
    chat = await startChat({ searches: { internalSearch: { search: () => Promise.resolve([passage()]) } } });
    const { default: Client } = await import("openai");
    openai = new Client({ baseURL: chat.app.url + base, apiKey: "key", maxRetries: 2 });
  });

  after(() => chat.stop());

  const searchesFirst = () =>
    chat.model.plays(calls(["internalSearch", { query: "leave" }]), says("Thirty ", "days [1]."));

  /** What the model was shown as answers of tools since it was looked at last. */
  const toolsAnswered = () =>
    chat.model
      .take()
      .flatMap(({ body: { messages } }) => messages.flatMap(({ role, content }) => (role === "tool" ? [content] : [])));
  beforeEach(() => void chat.model.take());

  describe("openai", () => {
    it("lists and retrieves models", async () => {
      const ids = (await openai.models.list()).data.map(({ id }) => id);
      expect(ids).to.deep.equal(["amber-extractive", "small"]);
      expect(await openai.models.retrieve("small")).to.deep.include({ object: "model", owned_by: "amber" });
    });

    it("creates completions, and sees the sources", async () => {
      searchesFirst();
      const completion = await openai.chat.completions.create({
        ...{ model: "small", messages: [...leave], tools: [internalSearch as never] },
      });
      const [choice] = completion.choices;
      expect(choice?.message).to.deep.nested.include({
        content: "Thirty days [1].",
        "annotations[0].url_citation.url": "https://wiki.example.org/leave",
      });
      expect(choice?.message.tool_calls).to.equal(undefined);
      expect(completion).to.have.property("citations").with.length(1);
    });

    it("streams, and puts the message together", async () => {
      searchesFirst();
      const streamed = openai.chat.completions.stream({
        ...{ model: "small", messages: [...leave], tools: [internalSearch as never] },
        stream_options: { include_usage: true },
      });
      const { choices, usage } = await streamed.finalChatCompletion();
      expect(choices[0]?.message).to.deep.include({ content: "Thirty days [1].", role: "assistant" });
      expect(choices[0]?.message).to.have.property("sources").with.length(1);
      expect([choices[0]?.finish_reason, usage?.total_tokens]).to.deep.equal(["stop", 36]);
    });

    it("sends back what its own tools answered, and shows what a model declines", async () => {
      const weather: OpenAI.ChatCompletionTool = { type: "function", function: { name: "weather", parameters: {} } };
      const called = { id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } } as const;
      chat.model.plays(declines("I cannot say."), declines("I cannot say."));
      const messages: OpenAI.ChatCompletionMessageParam[] = [
        ...leave,
        { role: "assistant", content: null, tool_calls: [called] },
        { role: "tool", tool_call_id: "call_1", content: "Rain" },
      ];
      const asked = { model: "small", tools: [weather], tool_choice: "none" as const, messages };
      const { choices } = await openai.chat.completions.create(asked);
      expect(choices[0]?.message).to.deep.include({ content: "I cannot say.", refusal: "I cannot say." });
      const streamed = await openai.chat.completions.stream(asked).finalChatCompletion();
      expect(streamed.choices[0]?.message).to.deep.include({ content: "I cannot say.", refusal: "I cannot say." });
      expect(toolsAnswered()).to.deep.equal(["Rain", "Rain"]);
    });

    it("shows what was wrong, once", async () => {
      const failure = async (asked: Promise<unknown>): Promise<APIError> =>
        asked.then(
          () => expect.fail("It did not fail."),
          (error: unknown) => error as APIError,
        );
      const unknown = await failure(openai.models.retrieve("un/known"));
      expect([unknown.status, unknown.code]).to.deep.equal([404, "model_not_found"]);
      expect(unknown.message).to.match(/There is no model with the id "un\/known"/);
      const other = await failure(openai.embeddings.create({ model: "small", input: "x" }));
      expect([other.status, other.code]).to.deep.equal([501, "not_implemented"]);
      const asked = chat.app.logLines.filter(({ path }) => String(path).endsWith("/embeddings"));
      expect(asked.length).to.be.lessThan(2);
      chat.model.plays(drops("Well"));
      const broken = openai.chat.completions.stream({ model: "small", messages: [...leave] });
      expect((await failure(broken.finalChatCompletion())).message).to.match(/ended the connection/);
    });
  });

  describe("LangChain", () => {
    let model: () => ChatOpenAI;
    before(async () => {
      const { ChatOpenAI: Client } = await import("@langchain/openai");
      model = () =>
        new Client({
          ...{ model: "small", apiKey: "key", maxRetries: 0, configuration: { baseURL: chat.app.url + base } },
          modelKwargs: { tools: [internalSearch], metadata: { language: "en" } },
        });
    });

    it("invokes and streams", async () => {
      searchesFirst();
      expect((await model().invoke("How much leave?")).content).to.equal("Thirty days [1].");
      searchesFirst();
      let text = "";
      for await (const chunk of await model().stream("How much leave?")) text += String(chunk.content);
      expect(text).to.equal("Thirty days [1].");
    });

    it("sends back what its own tools answered", async () => {
      const { AIMessage, HumanMessage, ToolMessage } = await import("@langchain/core/messages");
      chat.model.plays(says("Take an umbrella."));
      const called = { id: "call_1", name: "weather", args: { city: "Graz" } };
      const { content } = await model().invoke([
        new HumanMessage("Rain?"),
        new AIMessage({ content: "", tool_calls: [called] }),
        new ToolMessage({ content: "Rain", tool_call_id: "call_1" }),
      ]);
      expect(content).to.equal("Take an umbrella.");
      expect(toolsAnswered()).to.deep.equal(["Rain"]);
    });

    it("shows what was wrong", async () => {
      chat.model.plays(fails(429, {}));
      const failure = await model()
        .invoke("Hi")
        .catch((error: unknown) => String(error));
      expect(failure).to.match(/takes no more questions/);
    });
  });

  describe("the AI SDK", () => {
    let sdk: typeof AiSdk;
    let provide: typeof createOpenAICompatible;
    before(async () => {
      sdk = await import("ai");
      provide = (await import("@ai-sdk/openai-compatible")).createOpenAICompatible;
    });

    const model = () => {
      const provider = provide({
        ...{ name: "amber", apiKey: "key", baseURL: chat.app.url + base, includeUsage: true },
        transformRequestBody: (body) => ({ ...body, tools: [internalSearch] }),
      });
      return provider("small");
    };

    it("generates and streams", async () => {
      searchesFirst();
      const asked = { prompt: "How much leave?", maxRetries: 0 };
      expect((await sdk.generateText({ model: model(), ...asked })).text).to.equal("Thirty days [1].");
      searchesFirst();
      const streamed = sdk.streamText({ model: model(), ...asked });
      expect(await streamed.text).to.equal("Thirty days [1].");
      expect((await streamed.usage).inputTokens).to.equal(22);
    });

    it("sends back what its own tools answered", async () => {
      chat.model.plays(says("Take an umbrella."));
      const call = { toolCallId: "call_1", toolName: "weather" };
      const { text } = await sdk.generateText({
        ...{ model: model(), maxRetries: 0 },
        messages: [
          { role: "user", content: "Rain?" },
          { role: "assistant", content: [{ type: "tool-call", ...call, input: { city: "Graz" } }] },
          { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value: "Rain" } }] },
        ],
      });
      expect(text).to.equal("Take an umbrella.");
      expect(toolsAnswered()).to.deep.equal(["Rain"]);
    });

    it("shows what was wrong", async () => {
      chat.model.plays(fails(500, { error: { message: "Out of memory" } }));
      const failure = await sdk.generateText({ model: model(), prompt: "Hi", maxRetries: 0 }).catch(String);
      expect(failure).to.match(/Out of memory/);
    });
  });
});
