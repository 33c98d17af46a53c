import { expect } from "chai";
import { SearchTurns } from "../../../../src/adapters/search/sqlite/searchTurns.js";
import { ReadModelUnavailable } from "../../../../src/shared/failures.js";

describe("turns of searches", () => {
  /** Answers one search at a time, by a clock that only searches move; `asked` notes whose search runs. */
  function oneAtATime(): {
    ask(person: string, takesMs?: number, outcome?: () => Promise<void>): Promise<void>;
    readonly asked: readonly string[];
  } {
    let now = 0;
    const turns = new SearchTurns(1, 4, () => now);
    const asked: string[] = [];
    return {
      asked,
      ask: (person, takesMs = 1, outcome = () => Promise.resolve()) =>
        turns.take(person, () => {
          asked.push(person);
          now += takesMs;
          return outcome();
        }),
    };
  }

  it("go round among people who ask for as much, however often one of them asks", async () => {
    const { ask, asked } = oneAtATime();
    const all = ["ada", "ada", "ada", "ada", "bob", "eve", "bob"].map((person) => ask(person));
    await Promise.all(all);
    expect(asked).to.deep.equal(["ada", "bob", "eve", "ada", "bob", "ada", "ada"]);
  });

  it("come next to whoever asks for little, however many others ask for much", async () => {
    const { ask, asked } = oneAtATime();
    const greedy = ["ada", "bob", "eve"].flatMap((person) => [ask(person, 30), ask(person, 30)]);
    await Promise.all([...greedy, ask("kim"), ask("kim"), ask("kim")]);
    expect(asked).to.deep.equal(["ada", "bob", "eve", "kim", "kim", "kim", "ada", "bob", "eve"]);
  });

  it("save nothing up for whoever has not asked for long", async () => {
    const { ask, asked } = oneAtATime();
    await Promise.all([ask("ada", 30), ask("ada", 30), ask("ada", 30)]);
    const all = ["ada", "ada", "bob", "bob", "bob"].map((person) => ask(person, 30));
    await Promise.all(all);
    expect(asked.slice(3)).to.deep.equal(["ada", "bob", "ada", "bob", "bob"]);
  });

  it("go on after a search that fails", async () => {
    const { ask, asked } = oneAtATime();
    const failing = ask("ada", 1, () => Promise.reject(new Error("damaged")));
    const next = ask("bob");
    expect(await failing.catch((error: Error) => error.message)).to.equal("damaged");
    await next;
    await ask("ada");
    expect(asked).to.deep.equal(["ada", "bob", "ada"]);
  });

  it("are refused to whoever has too many searches waiting, and to nobody else", async () => {
    const { ask, asked } = oneAtATime();
    const accepted = Array.from({ length: 5 }, () => ask("ada"));
    const refused = await ask("ada").catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ReadModelUnavailable);
    await Promise.all([...accepted, ask("bob")]);
    expect(asked.indexOf("bob")).to.be.below(5);
  });
});
