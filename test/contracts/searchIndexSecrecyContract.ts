import { expect } from "chai";
import { type AskedQuestion, createWorld, kindsOfQueries, questionsOf, searchingPerson } from "./pairedWorlds.js";
import { runSeed } from "../support/propertyRuns.js";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Of more at once, an engine that counts the time for which a search waits would leave some unfinished. */
const askedAtOnce = 10;

async function answersOf(world: SearchScenario, questions: readonly AskedQuestion[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let from = 0; from < questions.length; from += askedAtOnce) {
    const asked = questions.slice(from, from + askedAtOnce).map(async ({ query, ...options }) => {
      const page = await world.search(query, { ...options, as: searchingPerson });
      const suggested = await world.suggest(query.trimEnd(), { as: searchingPerson, count: options.count });
      return JSON.stringify([query, page, suggested]);
    });
    answers.push(...(await Promise.all(asked)));
  }
  return answers;
}

/**
 * Whoever searches is answered alike, to the last digit of a score, whether or not there are documents that she cannot
 * see. Each run of the tests asks other questions.
 */
export function searchIndexSecrecyContract(open: () => Promise<SearchIndexUnderTest>, questionsOfAKind: number): void {
  let without: SearchScenario;
  let withHidden: SearchScenario;
  before(async () => {
    without = new SearchScenario(await open());
    withHidden = new SearchScenario(await open());
    await createWorld(without, "without hidden");
    await createWorld(withHidden, "with hidden");
  });
  after(async () => {
    await without.close();
    await withHidden.close();
  });

  it("tells what words were taken for, whether or not a phrase that is demanded stands in hidden documents", async () => {
    for (const world of [without, withHidden]) {
      const { hits, corrected } = await world.search('lighthuose "zephyrine"', { as: searchingPerson });
      expect([hits, corrected]).to.deep.equal([[], [{ from: "lighthuose", to: "lighthouse" }]]);
    }
  });

  for (const kind of kindsOfQueries) {
    it(`answers the same with and without hidden documents: ${kind}`, async () => {
      const questions = questionsOf(kind, questionsOfAKind, runSeed);
      const expected = await answersOf(without, questions);
      const answers = await answersOf(withHidden, questions);
      expect(answers.filter((answer, index) => answer !== expected[index]).slice(0, 1)).to.deep.equal([]);
    });
  }
}
