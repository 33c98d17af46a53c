import { join } from "node:path";
import { expect } from "chai";
import { createWorld, searchingPerson } from "../../../contracts/pairedWorlds.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex as openEmbedded } from "../sqlite/openSearchIndex.js";
import { openSearchIndex } from "./openSearchIndex.js";

/** Words, beginnings, other forms, parts of compounds, misspelled ones; no names: embedded, they get a bonus. */
const single = ["harbour", "harb", "engines!", "Haus", "Verträge", "Vertrag!", "Prüf", "Regen", "Schirm!", "Leucht"];
const others = ["budgte!", "travelling", "Abteilnug!", "salary", "Gehaltsliste", "notebok", "re"];

const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey } = process.env;
const real =
  url === undefined || apiKey === undefined ? [] : [{ name: "the server that TYPESENSE_URL names", url, apiKey }];

for (const server of [{ name: "a server that answers as recorded" }, ...real]) {
  describe(`single words in Typesense, on ${server.name}`, () => {
    let double: TypesenseDouble | null = null;
    let embedded: SearchScenario;
    let typesense: SearchScenario;
    before(async () => {
      const folder = temporaryFolder("same-as-embedded");
      embedded = new SearchScenario(await openEmbedded(join(folder.path, "search.sqlite"), () => folder.remove()));
      const engine = "url" in server ? server : (double = await TypesenseDouble.start());
      typesense = new SearchScenario(await openSearchIndex(engine));
      await Promise.all([embedded, typesense].map((scenario) => createWorld(scenario, "with hidden")));
    });
    after(async () => {
      await Promise.all([embedded.close(), typesense.close()]);
      await double?.stop();
    });

    for (const query of [...single, ...others])
      it(`find what they find embedded, with the same scores, asked once and again: ${query}`, async () => {
        const answer = async (scenario: SearchScenario) => {
          const { hits, total, corrected } = await scenario.search(query, { as: searchingPerson });
          return { total, corrected, hits: hits.map(({ id, score }) => [id, score.toFixed(3)]) };
        };
        const expected = await answer(embedded);
        expect(await answer(typesense)).to.deep.equal(expected);
        expect(await answer(typesense)).to.deep.equal(expected);
      });
  });
}
