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

  it("asks for the checkpoint alone where it was asked before, and nothing has come since", async () => {
    const first = await found(question);
    expect(first).to.have.members(["island", "crossing", "coast"]);
    const sent = await sentBy(async () => expect(await found(question)).to.deep.equal(first));
    expect(sent.map(({ searches }) => searches.length)).to.deep.equal([1]);
    expect(JSON.stringify(sent)).not.to.include("_eval");
  });

  it("asks for texts alone of versions that were not shown lately", async () => {
    const shown = async (): Promise<Readonly<Record<string, string>>> => {
      const { hits } = await scenario.search(question, { as: ada });
      return Object.fromEntries(hits.map(({ id, snippet }) => [id.replace("wiki__", ""), snippet]));
    };
    const before = await shown();
    await scenario.given(
      scenario.document({ id: "coast", text: "a red lighthouse on the mountain", access }),
      scenario.deleted("crossing"),
    );
    const asked = (await sentBy(shown)).flatMap(({ searches }) => searches);
    const read = asked.filter(({ collection }) => collection.endsWith("texts"));
    expect(read.map(({ filter_by: filter }) => filter?.split(",").length)).to.deep.equal([1]);
    const after = await shown();
    expect(after).to.have.all.keys("island", "coast");
    expect(after["coast"]).to.include("red");
    expect(after["island"]).to.equal(before["island"]);
  });

  it("has the engine order nothing, also where something has come since", async () => {
    await found(question);
    await scenario.given(scenario.document({ id: "new", text: "ferry timetable of the harbour", access }));
    const sent = await sentBy(async () => expect(await found(question)).to.include("new"));
    expect(JSON.stringify(sent)).not.to.include("_eval");
  });

  it("asks once for what it knows to stand nowhere", async () => {
    expect(await found("waterfall!")).to.deep.equal([]);
    expect(await sentBy(() => found("waterfall!"))).to.have.length(1);
  });

  it("asks for words that only others write together", async () => {
    const sent = await sentBy(() => found("ferry"));
    const surfaces = sent.flatMap(({ searches }) =>
      searches.flatMap(({ filter_by: filter = "" }) => filter.match(/ && (w:.*)$/)?.[1] ?? []),
    );
    const named = surfaces.flatMap((filter) => filter.match(/\bwferry[a-z0-9]+/g) ?? []);
    expect(named).to.have.length.above(100);
    expect(surfaces).to.have.length.below(20);
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
