import { expect } from "chai";
import { seededRandom } from "../../bench/corpus.js";
import type { SearchFilters } from "../../src/readModels/search.js";
import { noFilters, SearchScenario, type Person, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** More than an engine takes for few. */
const groups = 230;
const perBatch = 60;
const bases = ["fire", "harbour", "mountain", "regen", "schirm", "kaution", "sicherung"];
const endings = ["", "s", "light", "haus", "konzept", "prüfung", "plan", "wege"];

/** Each document in a group of its own; everybody is in one more, through which all of these can be seen, too. */
const throughMany: Person = { groups: Array.from({ length: groups }, (_, n) => `crew${n}`) };
const throughOne: Person = { groups: ["everybody"] };

const singleWords = ["fire", "fir", "firehaus!", "kaution", "kautoin!", "sicherung!", "plan", "regenschirm!", "hidden"];
const questions = [
  "fire harbour mountain plan",
  "schirm regen!",
  "firelight -harbour",
  `"fire plan"`,
  "hidden fire wege",
];

/** Whoever sees the same is answered alike, through however many groups that is. */
export function searchIndexManyGroupsContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  before(async () => {
    scenario = new SearchScenario(await open());
    const random = seededRandom(7);
    const word = (): string => {
      const [base, ending] = [bases, endings].map((all) => all[Math.floor(random() * all.length)]);
      return `${base}${ending}`;
    };
    const text = (): string => Array.from({ length: 6 + Math.floor(random() * 20) }, word).join(" ");
    await scenario.given(scenario.datasource({ name: "wiki" }));
    for (let from = 0; from < groups; from += perBatch)
      await scenario.given(
        ...Array.from({ length: Math.min(perBatch, groups - from) }, (_, n) => [
          scenario.document({
            ...{ id: `d${from + n}`, title: word(), text: text(), fileType: n % 3 === 0 ? "issue" : "page" },
            access: { groups: [`crew${from + n}`, "everybody"] },
          }),
          scenario.document({ id: `hidden${from + n}`, text: `hidden ${text()}`, access: { groups: ["others"] } }),
        ]).flat(),
      );
  });
  after(() => scenario.close());

  const asked = [...singleWords, ...questions];
  for (const query of asked) {
    it(`answers alike through many groups and through one: ${query}`, async () => {
      const filters: SearchFilters = { ...noFilters, fileTypes: ["page"] };
      for (const options of [
        { count: 20, explain: true as const },
        { count: 20, filters },
      ]) {
        const [many, one] = await Promise.all(
          [throughMany, throughOne].map((as) => scenario.search(query, { ...options, as })),
        );
        expect(many).to.deep.equal(one);
      }
    });
  }

  it("finds what has come to be open, and no more what is not", async () => {
    const found = (): Promise<string[]> => scenario.found("zeppelin!", { as: throughMany });
    expect(await found()).to.deep.equal([]);
    const zeppelin = (access: { groups: string[] }) => scenario.document({ id: "new", text: "zeppelin fire", access });
    await scenario.given(zeppelin({ groups: ["crew7", "crew9"] }));
    expect(await found()).to.deep.equal(["new"]);
    await scenario.given(zeppelin({ groups: ["others"] }));
    expect(await found()).to.deep.equal([]);
  });
}
