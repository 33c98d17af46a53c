import { expect } from "chai";
import * as fc from "fast-check";
import { SpokenText } from "../../src/adapters/models/thoughts.js";
import { begins, ending, frameOf, seenIn, calls, says, type Script } from "../support/models/scriptedModel.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { framesIn, passage, question, startChat, tools, type ChatUnderTest } from "./chatUnderTest.js";

const sends =
  (...deltas: readonly object[]): Script =>
  (response) => {
    begins(response);
    for (const delta of deltas) response.write(frameOf(delta));
    response.end(ending());
  };

interface Message {
  readonly content: string;
  readonly refusal: string | null;
}

describe("what models say", () => {
  let chat: ChatUnderTest;
  before(async () => {
    chat = await startChat({ searches: { internalSearch: { search: () => Promise.resolve([passage()]) } } });
  });
  after(() => chat.stop());

  const whole = async (script: Script): Promise<Message> => {
    chat.model.plays(script);
    const answer = (await (await chat.ask(question("Hi"))).json()) as { choices: readonly { message: Message }[] };
    return answer.choices[0]?.message ?? expect.fail("There is no choice.");
  };
  /** The deltas of a streamed answer, put together as clients do it. */
  const streamed = async (script: Script): Promise<Message> => {
    chat.model.plays(script);
    const frames = await framesIn(await chat.ask(question("Hi", { stream: true })));
    const deltas = frames.map(({ choices }) => choices[0]?.delta as Partial<Message>);
    const joined = (field: keyof Message): string => deltas.map((delta) => delta[field] ?? "").join("");
    return { content: joined("content"), refusal: joined("refusal") || null };
  };
  const both = async (script: Script): Promise<Pick<Message, "content" | "refusal">> => {
    const { content, refusal } = await whole(script);
    expect(await streamed(script)).to.deep.equal({ content, refusal });
    return { content, refusal };
  };

  it("comes through in parts", async () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "Hm." }] };
    const parts = [thinking, { type: "text", text: "Thirty" }, { type: "reference", reference_ids: [1] }];
    const image = { type: "image_url", image_url: { url: "https://evil.example/x" } };
    const script = sends(
      { content: parts },
      { content: [{ type: "output_text", text: " days" }, image] },
      { content: "." },
    );
    expect(await both(script)).to.deep.equal({ content: "Thirty days.", refusal: null });
    const odd = sends({ content: [null, 7, ["x"], { type: "text", text: 7 }, { text: "Hi" }, "!"] }, { content: {} });
    expect((await both(odd)).content).to.equal("Hi!");
  });

  it("comes through where it declines, for programs and for people", async () => {
    const declined = { content: "I cannot help.", refusal: "I cannot help." };
    expect(await both(sends({ refusal: "I cannot" }, { content: null, refusal: " help." }))).to.deep.equal(declined);
    const part = { type: "refusal", refusal: "I cannot help." };
    expect(await both(sends({ content: [part] }))).to.deep.equal(declined);
  });

  const thinks: readonly (readonly [what: string, deltas: readonly object[], answer: string])[] = [
    ["whole", [{ content: "<think>Let me see.</think>\n\nYes." }], "Yes."],
    ["in pieces", [..."<think>Let <b> me</think>\n\nYes."].map((content) => ({ content })), "Yes."],
    ["twice", [{ content: "<think>a</think>Yes<think>b" }, { content: "c</think>, no." }], "Yes, no."],
    ["without an end", [{ content: "\n<think>Let me see. </thin" }, { content: " Yes" }], ""],
    ["behind an answer, without an end", [{ content: "Yes. <think>Or" }, { content: " not" }], "Yes."],
    ["in a field of its own", [{ reasoning_content: "Hm", content: "" }, { content: "Yes." }], "Yes."],
    ["in another field", [{ reasoning: "Hm", content: null }, { content: "Yes." }], "Yes."],
    [
      "not at all, but quotes the tag",
      [{ content: "The tag `" }, { content: "<think>` opens." }],
      "The tag `<think>` opens.",
    ],
    ["not at all, but ends like it", [{ content: "Is 1 <thi" }], "Is 1 <thi"],
  ];
  for (const [what, deltas, answer] of thinks)
    it(`holds nothing of what a model thinks: ${what}`, async () => {
      expect((await both(sends(...deltas))).content.trim()).to.equal(answer);
    });

  it("holds nothing of it between searches, nor does the model see it again", async () => {
    const search: Script = (response, asked) => {
      begins(response).write(frameOf({ content: "<think>I had better search.</think>" }));
      return calls(["internalSearch", { query: "leave" }])(
        Object.assign(response, { writeHead: () => response }) as typeof response,
        asked,
      );
    };
    chat.model.plays(search, says("<think>Found.</think>", "Thirty [1]."));
    const answer = await chat.ask(question("Leave?", tools("internalSearch")));
    expect(await answer.text()).to.contain('"content":"Thirty [1]."');
    expect(seenIn(chat.model.asked.at(-1) ?? expect.fail())).not.to.contain("I had better");
  });

  it("finds an end, however long a model thinks", async () => {
    const long = "x".repeat(700_000);
    for (const field of ["content", "reasoning_content"]) {
      chat.model.plays(sends({ [field]: `<think>${long}` }, { [field]: long }, { [field]: long }));
      const answer = await chat.ask(question("Hi"));
      expect([answer.status, await answer.text()].join()).to.match(/^502.*find no end/);
    }
  });

  it("is the same however it is cut", async () => {
    const bits = fc.array(fc.constantFrom("<think>", "</think>", "`", "<", "think>", "<thi", "nk>", " ", "Yes"), {
      maxLength: 12,
    });
    await fc.assert(
      fc.property(bits, fc.array(fc.nat(6), { minLength: 1 }), (parts, cuts) => {
        const text = parts.join("");
        const [atOnce, inPieces] = [new SpokenText(), new SpokenText()];
        const expected = atOnce.add(text) + atOnce.end();
        let spoken = "";
        for (let at = 0, n = 0; at < text.length; n++) {
          const length = 1 + (cuts[n % cuts.length] ?? 0);
          spoken += inPieces.add(text.slice(at, at + length));
          at += length;
        }
        expect((spoken + inPieces.end()).trim()).to.equal(expected.trim());
      }),
      propertyRuns(500),
    );
  });
});
