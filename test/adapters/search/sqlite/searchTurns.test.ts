import { expect } from "chai";
import { SearchTurns } from "../../../../src/adapters/search/sqlite/searchTurns.js";
import { ReadModelUnavailable } from "../../../../src/shared/readModelUnavailable.js";

describe("turns of searches", () => {
  /** Takes turns one at a time; `asked` notes whose search runs. */
  function oneAtATime(): {
    ask(person: string, outcome?: () => Promise<void>): Promise<void>;
    readonly asked: readonly string[];
  } {
    const turns = new SearchTurns(1, 4);
    const asked: string[] = [];
    return {
      asked,
      ask: (person, outcome = () => Promise.resolve()) => turns.take(person, () => (asked.push(person), outcome())),
    };
  }

  it("go round among people, however much one of them asks for", async () => {
    const { ask, asked } = oneAtATime();
    const all = ["ada", "ada", "ada", "ada", "bob", "eve", "bob"].map((person) => ask(person));
    await Promise.all(all);
    expect(asked).to.deep.equal(["ada", "ada", "bob", "eve", "ada", "bob", "ada"]);
  });

  it("go on after a search that fails", async () => {
    const { ask, asked } = oneAtATime();
    const failing = ask("ada", () => Promise.reject(new Error("damaged")));
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
