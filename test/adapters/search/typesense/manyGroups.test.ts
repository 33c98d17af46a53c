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
  const isLong = (filter: string | undefined): boolean => /\b(?:acl|cls):\[[^\]]{300,}/.test(filter ?? "");

  before(async () => {
    double = await TypesenseDouble.start();
    scenario = new SearchScenario(await openSearchIndex(double));
    await scenario.given(scenario.datasource({ name: "wiki", subs: { dock: [], pier: [] } }));
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

  it("asks for no more in a filter than the engine takes, whatever else is asked", async () => {
    const many = Array.from({ length: 2_300 }, (_, n) => `team${n}`);
    for (let from = 0; from < many.length; from += 100)
      await scenario.given(
        ...many
          .slice(from, from + 100)
          .map((team) => scenario.document({ id: team, text: `zeppelin ${team}`, access: { groups: [team] } })),
      );
    const as = { groups: many };
    const words = Array.from({ length: 64 }, (_, n) => `word${lettersOf(n)}`);
    const text = `zeppelin ${words.join(" ")}`;
    await scenario.given(scenario.document({ id: "long", text, sub: "dock", access: { groups: ["team7"] } }));
    const filters = {
      datasources: [
        { datasource: "wiki", sub: "dock", childSub: null },
        { datasource: "wiki", sub: "pier", childSub: null },
      ],
      ...{ fileTypes: ["page" as const], modifiedFrom: 0, modifiedTo: Date.parse("2030-01-01") },
    };
    const names = Array.from({ length: 16 }, (_, n) => `inc-${20_400 + n}`).join(" ");
    for (const query of [
      `"${words.join(" ")}"`,
      words.join(" "),
      `${words.slice(0, 40).join(" ")} ${names}`,
      "zeppelin",
    ])
      expect(await scenario.found(query, { as, filters })).to.deep.equal(["long"]);
    expect(await scenario.found("zeppelin team2299", { as })).to.include("team2299");
    expect(await scenario.found("zeppelin", { as: { groups: ["team8"] } })).to.deep.equal(["team8"]);
  });

  it("asks in no more requests than others", async () => {
    await scenario.search("ferry harbour", { as: member });
    const before = double.requests.length;
    await scenario.search("island harbour ferry", { as: member });
    expect(double.requests.length - before).to.be.at.most(3);
  });
});
