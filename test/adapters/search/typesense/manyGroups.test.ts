import { expect } from "chai";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex } from "./openSearchIndex.js";

const groups = 230;
const perBatch = 60;
const member = { groups: Array.from({ length: groups }, (_, n) => `crew${n}`) };
/** The rows, and how long documents are. */
const mostFiltered = 2;

const letters = "abcdefghijklmnopqrstuvwxyz";
const lettersOf = (n: number): string => letters.charAt(n % 26) + letters.charAt(Math.floor(n / 26));

interface Sent {
  readonly searches: readonly { readonly filter_by?: string }[];
}

describe("a person in many groups in Typesense", () => {
  let double: TypesenseDouble;
  let scenario: SearchScenario;

  const sentBy = async (work: () => Promise<unknown>): Promise<readonly (string | undefined)[]> => {
    const before = double.requests.length;
    await work();
    return double.requests
      .slice(before)
      .filter(({ path }) => path === "/multi_search")
      .flatMap(({ body }) => (JSON.parse(body) as Sent).searches.map(({ filter_by: filter }) => filter));
  };
  const isLong = (filter: string | undefined): boolean => /\b(?:acl|cls):\[[^\]]{600,}/.test(filter ?? "");

  before(async () => {
    double = await TypesenseDouble.start();
    scenario = new SearchScenario(await openSearchIndex(double));
    await scenario.given(scenario.datasource({ name: "wiki" }));
    for (let from = 0; from < groups; from += perBatch)
      await scenario.given(
        ...Array.from({ length: Math.min(perBatch, groups - from) }, (_, at) => {
          const end = lettersOf(from + at);
          const text = `ferry${end} harbour${end} old${end}ferry big${end}harbour island`;
          return scenario.document({ id: `d${from + at}`, text, access: { groups: [`crew${from + at}`] } });
        }),
      );
  });
  after(async () => {
    await scenario.close();
    await double.stop();
  });

  for (const query of ["ferry", "ferry!", "island ferry harbour", "ferrry harbuor", "ferryxy island fery harbouraa"]) {
    it(`has the engine work out the long filter a few times, whatever the vocabulary proposes: ${query}`, async () => {
      await scenario.restart();
      const sent = await sentBy(() => scenario.search(query, { as: member }));
      expect(sent.filter(isLong)).to.have.length.within(1, mostFiltered);
    });
  }

  it("asks in no more requests than others", async () => {
    await scenario.search("ferry harbour", { as: member });
    const before = double.requests.length;
    await scenario.search("island harbour ferry", { as: member });
    expect(double.requests.length - before).to.be.at.most(3);
  });
});
