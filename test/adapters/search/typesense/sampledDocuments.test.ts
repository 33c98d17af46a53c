import { expect } from "chai";
import type { Population } from "../../../../src/adapters/search/typesense/accessFilter.js";
import type { TypesenseConnection } from "../../../../src/adapters/search/typesense/connection.js";
import { engineTerm } from "../../../../src/adapters/search/typesense/encoding.js";
import { engineWordsOf } from "../../../../src/adapters/search/typesense/frequencies.js";
import { SampledDocuments } from "../../../../src/adapters/search/typesense/sampledDocuments.js";
import { analyseDocument } from "../../../../src/analysis/analyseDocument.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex } from "./openSearchIndex.js";

const groups = 230;
const documents = 1_300;
const perBatch = 325;
const member = { groups: Array.from({ length: groups }, (_, n) => `crew${n}`) };

describe("words that many documents hold of a person in many groups in Typesense", () => {
  let double: TypesenseDouble;
  let scenario: SearchScenario;

  const given = async (count: number, toDocument: (n: number) => Parameters<SearchScenario["document"]>[0]) => {
    for (let from = 0; from < count; from += perBatch)
      await scenario.given(
        ...Array.from({ length: Math.min(perBatch, count - from) }, (_, n) => scenario.document(toDocument(from + n))),
      );
  };
  const searched = () => scenario.search("mountain lake!", { as: member, count: 20 });
  const requestsFor = async (query: string): Promise<number> => {
    const before = double.requests.length;
    await scenario.search(query, { as: member });
    return double.requests.length - before;
  };

  before(async () => {
    double = await TypesenseDouble.start();
    scenario = new SearchScenario(await openSearchIndex(double));
    await scenario.given(scenario.datasource({ name: "wiki" }));
    await given(documents, (n) => ({
      id: `d${n}`,
      text: `This is the mountain and that is ${n % 2 === 0 ? "the lake" : "it"}. ${`It has word${n}x. `.repeat(1 + (n % 30))}`,
      access: { groups: [`crew${n % groups}`] },
    }));
  });
  after(async () => {
    await scenario.close();
    await double.stop();
  });

  it("are counted in memory, so that the search is all that is asked", async () => {
    await searched();
    expect(await requestsFor("mountain!")).to.equal(1);
    expect(await requestsFor("mountain word7x!"), "a rare word is counted").to.be.within(2, 3);
  });

  it("weigh the same whatever documents there are that the person may not see", async () => {
    const before = await searched();
    expect(before.total).to.equal(documents);
    await given(650, (n) => ({
      id: `hidden${n}`,
      text: "This is the lake of the lake and the mountain.",
      access: { groups: ["others"] },
    }));
    expect(await searched()).to.deep.equal(before);
    await scenario.restart();
    expect(await searched(), "a sample that was read with them").to.deep.equal(before);
  });

  it("tell rarer ones from more frequent ones", async () => {
    const { hits } = await scenario.search("mountain lake!", { as: member, count: 1, explain: true });
    const rarityOf = (word: string): number =>
      hits[0]?.explanation?.words.find((one) => one.word === word)?.matches[0]?.rarity ?? 0;
    expect(rarityOf("lake")).to.be.above(3 * rarityOf("mountain"));
    expect(rarityOf("lake")).to.be.within(Math.log(2) * 0.6, Math.log(2) * 1.5);
  });

  it("are counted once in a document that has come anew", async () => {
    const analysed = analyseDocument({ title: "", texts: ["fog"] });
    const { tf } = engineWordsOf(analysed);
    const row = (position: number, id: number) => ({ document: { id: String(id), position, cls: "all", tf } });
    // The last of a full answer is asked for again: more documents of its position may follow.
    const first = Array.from({ length: 250 }, (_, n) => row(n + 1, n + 1));
    const answers = [first, [row(250, 250), row(251, 7)]];
    const connection = { search: async () => [{ hits: answers.shift() ?? [] }] };
    const sample = new SampledDocuments(connection as unknown as TypesenseConnection, "documents");
    await sample.open();
    const population = { key: "a person", byClass: { opens: () => true } } as unknown as Population;
    expect(sample.count([engineTerm(analysed.body[0]?.writtenIn(analysed.language) ?? "")], population)).to.equal(
      first.length,
    );
  });
});
