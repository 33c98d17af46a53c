import { expect } from "chai";
import * as fc from "fast-check";
import type { SearchRequest } from "../../queries/ports.js";
import { rerankedPage } from "../../queries/search/search.js";
import type { SearchHit, SearchPage } from "../../src/readModels/search.js";
import { propertyRuns } from "../support/propertyRuns.js";

const hit = (n: number): SearchHit => ({
  ...{ id: `wiki__${n}`, title: `Title ${n}`, datasource: "wiki", sub: null, childSub: null, fileType: "page" },
  ...{ path: null, pathPreview: null, author: null, lastModified: null, score: -n },
  snippet: `<mark>${n}</mark> &lt;b&gt;`,
});
const none = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };
const asked = (count: number, startPage: number): SearchRequest => ({
  ...{ query: "a question", held: { key: "k", tokens: [] }, filters: none, count, startPage },
});

/** An index that finds so many, in this order. */
const indexOf =
  (total: number) =>
  async ({ count, startPage }: SearchRequest): Promise<SearchPage> => ({
    hits: Array.from({ length: total }, (_unused, n) => hit(n)).slice(count * startPage, count * (startPage + 1)),
    ...{ total, totalRelation: "eq" },
  });

describe("the first hits in the order of a model", () => {
  it("are the same 50 on every page, and the others follow in the index's order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(160),
        fc.integer({ min: 1, max: 100 }),
        fc.infiniteStream(fc.nat()),
        async (total, count, random) => {
          const order = Array.from({ length: Math.min(total, 50) }, (_unused, n) => n);
          const keys = order.map(() => random.next().value as number);
          order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
          const search = indexOf(total);
          const found: string[] = [];
          for (let page = 0; page * count < total + 1; page++) {
            const reranker = {
              order: async (_query: string, texts: readonly string[]) => (texts.length < 2 ? null : order),
            };
            const answer = await rerankedPage(search, asked(count, page), reranker);
            expect(answer.hits).to.have.length(Math.min(count, Math.max(0, total - page * count)));
            expect(answer.total).to.equal(total);
            found.push(...answer.hits.map(({ id }) => id));
          }
          const rest = Array.from({ length: Math.max(0, total - 50) }, (_unused, n) => n + 50);
          expect(found).to.deep.equal([...order, ...rest].map((n) => hit(n).id));
        },
      ),
      propertyRuns(200),
    );
  });

  it("are told apart by title and passage, of which the answer has nothing", async () => {
    let told: readonly string[] = [];
    const reranker = { order: async (_query: string, texts: readonly string[]) => ((told = texts), [1, 0]) };
    const search = async (request: SearchRequest): Promise<SearchPage> => {
      const page = await indexOf(2)(request);
      const passage = request.passages === true ? { passage: "A whole passage <b>." } : {};
      return { ...page, hits: page.hits.map((each) => ({ ...each, ...passage })) };
    };
    const { hits } = await rerankedPage(search, asked(10, 0), reranker);
    expect(told).to.deep.equal(["Title 0\nA whole passage <b>.", "Title 1\nA whole passage <b>."]);
    expect(hits).to.deep.equal([hit(1), hit(0)]);
  });

  it("are told apart by their snippets, without marks, where an index gives no passages", async () => {
    let told: readonly string[] = [];
    const reranker = { order: async (_query: string, texts: readonly string[]) => ((told = texts), null) };
    const { hits } = await rerankedPage(indexOf(2), asked(10, 0), reranker);
    expect(told).to.deep.equal(["Title 0\n0 <b>", "Title 1\n1 <b>"]);
    expect(hits).to.deep.equal([hit(0), hit(1)]);
  });

  it("say where the model has put them, where they say why they are there", async () => {
    const explanation = { score: 1, scored: "document", languageFactor: 1, words: [], bonuses: [] } as const;
    const search = async (request: SearchRequest): Promise<SearchPage> => {
      const page = await indexOf(60)(request);
      return { ...page, hits: page.hits.map((each) => ({ ...each, explanation })) };
    };
    const backwards = async (_query: string, texts: readonly string[]) => [...texts.keys()].toReversed();
    const placesOn = async (startPage: number) => {
      const { hits } = await rerankedPage(search, asked(20, startPage), { order: backwards });
      return hits.map((each) => each.explanation?.reranked);
    };
    expect((await placesOn(0)).slice(0, 2)).to.deep.equal([
      { before: 50, after: 1 },
      { before: 49, after: 2 },
    ]);
    expect((await placesOn(2)).slice(9, 11)).to.deep.equal([{ before: 1, after: 50 }, undefined]);
  });

  it("need no model where there is one alone, or none, or on later pages", async () => {
    const reranker = { order: () => Promise.reject(new Error("It was asked.")) };
    for (const [total, page] of [[0, 0] as const, [1, 0] as const, [80, 5] as const])
      await rerankedPage(indexOf(total), asked(10, page), reranker);
  });
});
