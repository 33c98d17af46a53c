import { expect } from "chai";
import { createWorld, kindsOfQueries, questionsOf, searchingPerson } from "./pairedWorlds.js";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/**
 * Whoever searches is answered alike, to the last digit of a score, whether or not there are documents that she cannot
 * see.
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

  for (const kind of kindsOfQueries) {
    it(`answers the same with and without hidden documents: ${kind}`, async () => {
      const questions = questionsOf(kind, questionsOfAKind);
      const answersOf = (world: SearchScenario): Promise<readonly string[]> =>
        Promise.all(
          questions.map(async ({ query, ...options }) =>
            JSON.stringify([query, await world.search(query, { ...options, as: searchingPerson })]),
          ),
        );
      const expected = await answersOf(without);
      const answers = await answersOf(withHidden);
      expect(answers.filter((answer, index) => answer !== expected[index]).slice(0, 1)).to.deep.equal([]);
    });
  }
}
