import { expect } from "chai";
import { foundTexts } from "./foundTexts.js";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** What is written in several ways, in documents and in queries. Each text stands in a world of its own. */
export function searchIndexWritingsContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  before(async () => {
    scenario = new SearchScenario(await open());
    const texts = Object.values(foundTexts).flat();
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      ...texts.map(({ text, title = "-" }, at) =>
        scenario.document({
          id: `${at}`,
          title,
          text,
          path: null,
          pathPreview: null,
          author: null,
          access: { groups: [`${at}`] },
        }),
      ),
    );
  });
  after(() => scenario.close());

  let first = 0;
  for (const [kind, texts] of Object.entries(foundTexts)) {
    const from = first;
    first += texts.length;
    it(`finds what is the same, and nothing else: ${kind}`, async () => {
      const wrong: string[] = [];
      for (const [index, { text, finds = [], misses = [] }] of texts.entries()) {
        const at = String(from + index);
        const isFound = async (query: string) => (await scenario.found(query, { as: { groups: [at] } })).includes(at);
        for (const query of finds) if (!(await isFound(query))) wrong.push(`${text} ← ${query}`);
        for (const query of misses) if (await isFound(query)) wrong.push(`${text} ↚ ${query}`);
      }
      expect(wrong).to.deep.equal([]);
    });
  }
}
