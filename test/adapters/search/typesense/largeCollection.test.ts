import { expect } from "chai";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex } from "./openSearchIndex.js";

const documents = 5_200;
const batchSize = 1_300;

describe("a Typesense collection so large that figures are remembered", () => {
  let double: TypesenseDouble;
  let scenario: SearchScenario;
  before(async () => {
    double = await TypesenseDouble.start();
    scenario = new SearchScenario(await openSearchIndex(double));
    await scenario.given(scenario.datasource({ name: "wiki" }));
    for (let from = 0; from < documents; from += batchSize) {
      await scenario.given(
        ...Array.from({ length: batchSize }, (_, n) =>
          scenario.document({
            id: `d${from + n}`,
            title: `Note ${from + n}`,
            text: `mountain word${(from + n) % 700}x`,
          }),
        ),
      );
    }
  });
  after(async () => {
    await scenario.close();
    await double.stop();
  });

  it("finds a word that was unknown when it was asked for last", async () => {
    expect(await scenario.found("lighthouse!")).to.deep.equal([]);
    await scenario.given(scenario.document({ id: "new", text: "lighthouse on the mountain" }));
    expect(await scenario.found("lighthouse!")).to.deep.equal(["new"]);
    expect((await scenario.found("mountain lighthouse!"))[0]).to.equal("new");
  });

  it("asks in two requests, and not again for what it knows of all documents", async () => {
    await scenario.found("mountain word12x!");
    const before = double.requests.length;
    expect((await scenario.found("mountain word12x!", { count: 7 })).length).to.equal(7);
    const sent = double.requests.slice(before);
    expect(sent).to.have.length(2);
    expect(sent.some(({ body }) => body.includes('"facet_by":"len"'))).to.equal(false);
  });

  it("has the engine order only what is more than is scored", async () => {
    const isOrdered = async (query: string): Promise<boolean> => {
      const before = double.requests.length;
      await scenario.found(query);
      return double.requests.slice(before).some(({ body }) => body.includes("_eval"));
    };
    expect(await isOrdered("word13x word14x!")).to.equal(false);
    expect(await isOrdered("mountain word13x!")).to.equal(true);
  });

  it("has the engine order once, also where some of the first documents are weak matches", async () => {
    const orderedBy = async (query: string): Promise<readonly [total: number, ordered: number]> => {
      const before = double.requests.length;
      const { total } = await scenario.search(query);
      return [total, double.requests.slice(before).filter(({ body }) => body.includes("_eval")).length];
    };
    const without = "mountain word15x word16x word17x!";
    const [[total, once], [few, twice]] = [await orderedBy(`note ${without}`), await orderedBy(`lake ${without}`)];
    expect({ total: total >= documents, once }).to.deep.equal({ total: true, once: 1 });
    expect({ few, twice }).to.deep.equal({ few: 24, twice: 1 });
  });

  it("orders what was rare when it was counted and has become frequent", async () => {
    const sparse = Array.from({ length: 3 }, (_, n) => scenario.document({ id: `h${n}`, text: "harbour of the sea" }));
    await scenario.given(...sparse);
    expect(await scenario.found("harbour!")).to.have.length(3);
    const filler = "bay ".repeat(40);
    await scenario.given(
      ...Array.from({ length: 150 }, (_, n) => scenario.document({ id: `more${n}`, text: `${filler} harbour` })),
    );
    expect((await scenario.found("harbour!")).slice(0, 3)).to.have.members(["h0", "h1", "h2"]);
    expect((await scenario.search("harbour!")).total).to.equal(153);
  });

  it("pages past what was scored, once through everything, in one order", async () => {
    const pages: string[] = [];
    for (let startPage = 0; startPage < 6; startPage += 1)
      pages.push(...(await scenario.found("mountain word12x!", { count: 50, startPage })));
    expect(new Set(pages).size).to.equal(300);
    expect(pages.slice(0, 8)).to.have.members(Array.from({ length: 8 }, (_, n) => `d${12 + n * 700}`));
    expect(await scenario.found("mountain word12x!", { count: 100, startPage: 2 })).to.deep.equal(
      pages.slice(200, 300),
    );
    const scores = (await scenario.search("mountain word12x!", { count: 100, startPage: 1 })).hits.map(
      ({ score }) => score,
    );
    expect(scores).to.deep.equal([...scores].sort((a, b) => b - a));
  });

  it("counts beyond what is ranked", async () => {
    const { total, totalRelation, hits } = await scenario.search("mountain!", { count: 10, startPage: 400 });
    expect({ total: total >= documents, totalRelation, hits: hits.length }).to.deep.equal({
      total: true,
      totalRelation: "eq",
      hits: 10,
    });
    expect((await scenario.search("mountain!", { count: 100, startPage: 10_000_000 })).hits).to.deep.equal([]);
  });
});
