import { expect } from "chai";
import { calls, fails, says, seenIn, type AskedOfScript } from "../support/models/scriptedModel.js";
import { framesIn, passage, small, startChat, tools, type ChatUnderTest } from "./chatUnderTest.js";

const overflow = fails(400, { error: { message: "Too long.", code: "context_length_exceeded" } });
const search = (query: string) => calls(["internalSearch", { query }]);
const messages = [
  { role: "system", content: "Rules." },
  { role: "user", content: `Old question. ${"o".repeat(1_200)}` },
  { role: "assistant", content: "Old answer." },
  { role: "user", content: "Last question?" },
];
const asked = { model: "small", messages, ...tools("internalSearch") };

/** What the model was shown in each round. */
const shown = (rounds: readonly AskedOfScript[]): readonly string[] => rounds.map(seenIn);

/** Passages of some 600 tokens, each named by its query. */
const internalSearch = {
  search: ({ query }: { readonly query: string }) =>
    Promise.resolve([passage({ id: `wiki__${query}`, text: `Found for ${query}. ${"x".repeat(1_800)}` })]),
};

describe("conversations that outgrow the model in a later round", () => {
  let known: ChatUnderTest;
  let unknown: ChatUnderTest;
  before(async () => {
    known = await startChat({ models: [{ ...small, contextTokens: 1_900 }], searches: { internalSearch } });
    unknown = await startChat({ searches: { internalSearch } });
  });
  after(async () => {
    await known.stop();
    await unknown.stop();
  });

  const keepsWhatCounts = (rounds: readonly string[]): void => {
    for (const round of rounds) expect(round).to.contain("Rules.").and.contain("Last question?");
  };

  it("lose their oldest turns, then the texts of the oldest results, and say so", async () => {
    known.model.plays(search("one"), search("two"), says("Fits."));
    const answer = await known.ask(asked);
    expect(answer.headers.get("x-context-truncated")).to.equal("2");
    expect(await answer.json()).to.deep.nested.include({ "context_truncated.dropped_messages": 2 });
    const rounds = shown(known.model.take());
    keepsWhatCounts(rounds);
    const holds = (text: string): readonly boolean[] => rounds.map((round) => round.includes(text));
    expect(holds("Old question.")).to.deep.equal([true, false, false]);
    expect(holds("Found for one.")).to.deep.equal([false, true, false]);
    expect(holds("Found for two.")).to.deep.equal([false, false, true]);
  });

  it("say so in the last chunk where the head of a stream has left", async () => {
    known.model.plays(search("one"), says("Fits."));
    const answer = await known.ask({ ...asked, stream: true });
    expect([answer.status, answer.headers.has("x-context-truncated")]).to.deep.equal([200, false]);
    expect((await framesIn(answer)).at(-1)).to.deep.nested.include({ "context_truncated.dropped_messages": 2 });
    keepsWhatCounts(shown(known.model.take()));
  });

  it("are cut as far as the model's server wants where nobody says how much fits", async () => {
    unknown.model.plays(search("one"), overflow, overflow, says("Fits."));
    const answer = await unknown.ask(asked);
    expect(answer.headers.get("x-context-truncated")).to.equal("2");
    const rounds = shown(unknown.model.take());
    keepsWhatCounts(rounds);
    expect(rounds.at(-1)).not.to.contain("Old question.").and.not.contain("Found for one.");
    unknown.model.plays(search("one"), overflow, overflow, overflow);
    const refused = await unknown.ask(asked);
    expect(refused.status).to.equal(400);
    expect(await refused.text()).to.contain("context_length_exceeded");
  });
});
