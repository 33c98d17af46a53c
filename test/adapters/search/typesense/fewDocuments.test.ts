import { expect } from "chai";
import { toEmail } from "../../../../src/shared/ids.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex } from "./openSearchIndex.js";

const ada = { email: "ada@example.org" };
const access = { anonymous: false, users: [toEmail(ada.email)] };
const ofOthers = { anonymous: false, users: [toEmail("bob@example.org")] };
const question = "mountain harbour lighthouse ferry timetable?";

describe("a person who sees few of the documents in Typesense", () => {
  let double: TypesenseDouble;
  let scenario: SearchScenario;

  interface Sent {
    readonly searches: readonly { readonly collection: string; readonly filter_by?: string }[];
  }
  const sentBy = async (work: () => Promise<unknown>): Promise<readonly Sent[]> => {
    const before = double.requests.length;
    await work();
    const sent = double.requests.slice(before).filter(({ path }) => path === "/multi_search");
    return sent.map(({ body }) => JSON.parse(body) as Sent);
  };
  const found = (query: string): Promise<string[]> => scenario.found(query, { as: ada });

  beforeEach(async () => {
    double = await TypesenseDouble.start();
    scenario = new SearchScenario(await openSearchIndex(double));
    await scenario.given(
      scenario.datasource({ name: "wiki", searchable: [] }),
      scenario.document({ id: "island", text: "mountain and harbour of the island", access }),
      scenario.document({ id: "crossing", text: "ferry from the harbour, with its timetable", access }),
      scenario.document({ id: "coast", text: "a lighthouse on the mountain", access }),
      scenario.document({ id: "hut", text: "only a mountain", access }),
      ...Array.from({ length: 120 }, (_, n) =>
        scenario.document({
          id: `hidden${n}`,
          text: `ferrymen ferry${String.fromCharCode(97 + (n % 26))}${n}x harbourmaster lighthouse`,
          access: ofOthers,
        }),
      ),
    );
  });
  afterEach(async () => {
    await scenario.close();
    await double.stop();
  });

  it("asks two or three times for a question that nobody has asked before, also where a word is misspelled", async () => {
    await found("mountain");
    const requestsFor = async (query: string): Promise<number> => (await sentBy(() => found(query))).length;
    for (const query of [question, "ferr", "timetbale harbour!", "mountainferry!", "harbour lighthouses ferry"])
      expect(await requestsFor(query), query).to.be.within(2, 3);
  });

  it("asks once for what completes a word", async () => {
    await found("mountain");
    expect(await sentBy(() => scenario.suggested("harb", { as: ada }))).to.have.length(1);
    expect(await scenario.suggested("harb", { as: ada })).to.deep.equal(["harbour"]);
  });

  it("has the engine order nothing, also where something has come since", async () => {
    await found(question);
    await scenario.given(scenario.document({ id: "new", text: "ferry timetable of the harbour", access }));
    const sent = await sentBy(async () => expect(await found(question)).to.include("new"));
    expect(JSON.stringify(sent)).not.to.include("_eval");
  });

  it("asks no more for a word that only others write than for one that nobody does", async () => {
    await found("mountain");
    const [hidden, nowhere] = [await sentBy(() => found("harbourmaster!")), await sentBy(() => found("waterfall!"))];
    expect(hidden.length).to.equal(nowhere.length);
  });

  it("finds a word from the moment on in which it is there", async () => {
    expect(await found("waterfall!")).to.deep.equal([]);
    expect(await found("mountain waterfall!")).to.have.members(["island", "coast", "hut"]);
    await scenario.given(scenario.document({ id: "new", text: "waterfall", access }));
    expect(await found("waterfall!")).to.deep.equal(["new"]);
    expect((await found("mountain waterfall!"))[0]).to.equal("new");
    await scenario.given(scenario.deleted("new"));
    expect(await found("waterfall!")).to.deep.equal([]);
  });

  it("finds a word as the beginning of one that has come since, and corrects to it", async () => {
    expect(await found("water")).to.deep.equal([]);
    expect(await found("watrefall!")).to.deep.equal([]);
    await scenario.given(scenario.document({ id: "new", text: "waterfall", access }));
    expect(await found("water")).to.deep.equal(["new"]);
    expect(await found("watrefall!")).to.deep.equal(["new"]);
  });

  it("finds by properties that have come to be searched, with no further event", async () => {
    const customProperties = [{ name: "colour", value: "turquoise" }];
    await scenario.given(scenario.document({ id: "painted", text: "boat", access, customProperties }));
    expect(await found("turquoise!")).to.deep.equal([]);
    await scenario.given(scenario.redefined("wiki", ["colour"]));
    let hits = await found("turquoise!");
    for (let round = 0; round < 100 && hits.length === 0; round += 1) hits = await found("turquoise!");
    expect(hits).to.deep.equal(["painted"]);
  });

  it("weighs words alike in searches at once while documents come", async () => {
    const writing = (async () => {
      for (let n = 0; n < 10; n += 1)
        await scenario.given(scenario.document({ id: `more${n}`, text: `ferry number ${n}`, access }));
    })();
    for (let round = 0; round < 10; round += 1) {
      const pages = await Promise.all([found(question), found("harbour!"), found(question)]);
      for (const page of [pages[0], pages[2]]) expect(page).to.include.members(["island", "crossing", "coast"]);
      expect(pages[1]).to.have.members(["island", "crossing"]);
    }
    await writing;
    expect(await found("ferry!")).to.have.length(11);
  });
});
