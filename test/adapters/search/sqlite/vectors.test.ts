import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import * as fc from "fast-check";
import { searchSchema } from "../../../../src/adapters/search/sqlite/schema.js";
import { nearestTo } from "../../../../src/adapters/search/sqlite/vectors/nearest.js";
import {
  fromBytes,
  quantise,
  toBytes,
  toVector,
} from "../../../../src/adapters/search/sqlite/vectors/passageVectors.js";
import { VectorColumns } from "../../../../src/adapters/search/sqlite/vectors/vectorColumns.js";
import { VectorRows, type UnembeddedRow } from "../../../../src/adapters/search/sqlite/vectors/vectorRows.js";
import { openForWriting } from "../../../../src/adapters/sqlite/database.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { Synonyms } from "../../../support/models/synonyms.js";
import { propertyRuns } from "../../../support/propertyRuns.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openSearchIndex } from "./openSearchIndex.js";

const dimensions = 37;
const vectorFrom = (values: readonly number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const anyVector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
  .filter((values) => Math.hypot(...values) > 0.1)
  .map(vectorFrom);
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);

describe("vectors of passages in the SQLite search index", () => {
  it("are quantised, stored and compared with little loss", () => {
    fc.assert(
      fc.property(fc.array(anyVector, { minLength: 1, maxLength: 9 }), anyVector, (vectors, query) => {
        const bytes = toBytes(
          vectors.map((vector, at) => quantise({ start: at * 1_000, end: at * 1_000 + 7 }, vector)),
        );
        const columns = new VectorColumns(dimensions);
        for (const vector of fromBytes(bytes, dimensions)) columns.push(vector);
        expect(columns.size).to.equal(vectors.length);
        vectors.forEach((vector, at) => {
          expect(columns.passageOf(at)).to.deep.equal({ start: at * 1_000, end: at * 1_000 + 7 });
          expect(columns.cosine(at, query)).to.be.closeTo(cosine(vector, query), 0.03);
        });
        const again = [...fromBytes(bytes, dimensions)].map((each) => quantise(each.passage, toVector(each)));
        expect([...fromBytes(toBytes(again), dimensions)].map(({ values }) => values)).to.deep.equal(
          [...fromBytes(bytes, dimensions)].map(({ values }) => values),
        );
      }),
      propertyRuns(200),
    );
  });

  it("are the nearest first, whether all are compared or those whose signs are nearest", () => {
    fc.assert(
      fc.property(fc.array(anyVector, { minLength: 1, maxLength: 60 }), anyVector, (vectors, query) => {
        const columns = new VectorColumns(dimensions);
        for (const vector of vectors) columns.push(quantise({ start: 0, end: 1 }, vector));
        const documents = vectors.map((_vector, slot) => ({ slot, first: slot, end: slot + 1 }));
        const asked = { model: "m", vector: query, leastSimilarity: -1 };
        const whole = nearestTo(asked, columns, documents, vectors.length);
        expect(whole.map(({ similarity }) => similarity)).to.deep.equal(
          whole.map(({ similarity }) => similarity).sort((a, b) => b - a),
        );
        expect(whole).to.have.length(vectors.length);
        const all = { mostCompared: 0, preselected: vectors.length };
        expect(nearestTo(asked, columns, documents, vectors.length, all)).to.deep.equal(whole);
        const some = nearestTo(asked, columns, documents, 3, { mostCompared: 0, preselected: 3 });
        expect(some).to.have.length(Math.min(3, vectors.length));
      }),
      propertyRuns(100),
    );
  });

  it("are found alike whether vectors lie between them that the person cannot see or not", () => {
    const some = fc.array(fc.record({ vector: anyVector, isSeen: fc.boolean() }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(some, anyVector, fc.nat(5), fc.nat(20), (vectors, query, most, preselected) => {
        const foundAmong = (world: typeof vectors) => {
          const columns = new VectorColumns(dimensions);
          world.forEach(({ vector }, at) => columns.push(quantise({ start: at, end: at + 1 }, vector)));
          const seen = world.flatMap(({ isSeen }, slot) => (isSeen ? [{ slot, first: slot, end: slot + 1 }] : []));
          const asked = { model: "m", vector: query, leastSimilarity: -1 };
          const found = nearestTo(asked, columns, seen, most + 1, { mostCompared: 0, preselected });
          return found.map(({ slot, similarity }) => ({ vector: world[slot], similarity }));
        };
        expect(foundAmong(vectors)).to.deep.equal(foundAmong(vectors.filter(({ isSeen }) => isSeen)));
      }),
      propertyRuns(200),
    );
  });

  it("find the same with all of them or with those whose signs are nearest, where one is near", () => {
    const columns = new VectorColumns(dimensions);
    const ways = Array.from({ length: 200 }, (_unused, n) =>
      vectorFrom(Array.from({ length: dimensions }, (_each, k) => Math.sin((n + 1) * (k + 1) * 1.7))),
    );
    for (const vector of ways) columns.push(quantise({ start: 0, end: 1 }, vector));
    const documents = ways.map((_vector, slot) => ({ slot, first: slot, end: slot + 1 }));
    ways.forEach((vector, slot) => {
      const asked = { model: "m", vector, leastSimilarity: 0.5 };
      const [found] = nearestTo(asked, columns, documents, 1, { mostCompared: 0, preselected: 5 });
      expect(found?.slot).to.equal(slot);
    });
  });

  for (const [change, next] of [
    ["model", new Synonyms("another")],
    ["length", new Synonyms("synonyms", 3)],
  ] as const)
    it(`are made anew by a model of another ${change === "model" ? "name" : "length"}`, async () => {
      const folder = temporaryFolder("search-index").path;
      const file = join(folder, "search.sqlite");
      const first = new Synonyms();
      let under = await openSearchIndex(file, () => undefined, { embedder: first });
      const scenario = new SearchScenario(under);
      await scenario.given(scenario.datasource({ name: "wiki" }), scenario.document({ id: "a", text: "automobile" }));
      const found = async (embedder: Synonyms): Promise<number> => {
        const asked = { query: "car", held: scenario.holding({}), count: 10, startPage: 0 };
        const filters = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };
        return (await under.reader.search({ ...asked, filters, meaning: embedder.meaning("car") })).total;
      };
      while ((await found(first)) === 0) await nextTurn();
      await scenario.close();
      under = await openSearchIndex(file, () => rmSync(folder, { recursive: true }), { embedder: next });
      if (change === "length") {
        // Nobody can know of it before the next document.
        const again = new SearchScenario(under);
        again.position = scenario.position;
        await again.given(again.document({ id: "b", text: "automobile" }));
      }
      while ((await found(next)) === 0) await nextTurn();
      expect(await found(first)).to.equal(0);
      if (change === "length") while ((await found(next)) < 2) await nextTurn();
      await under.close();
    });

  for (const [change, next] of [
    ["model", new Synonyms("another")],
    ["length", new Synonyms("synonyms", 3)],
  ] as const)
    it(`are missing of no document where a process with another ${change} has begun anew meanwhile`, async () => {
      const { path, remove } = temporaryFolder("search-index");
      const file = join(path, "search.sqlite");
      const scenario = new SearchScenario(await openSearchIndex(file, remove));
      await scenario.given(
        scenario.datasource({ name: "wiki" }),
        ...["a", "b", "c"].map((id) => scenario.document({ id, text: "automobile" })),
      );
      const first = new Synonyms();
      const open = (model: Synonyms) => {
        const database = openForWriting({ file, schema: searchSchema, durability: "rebuildable" });
        const rows = new VectorRows(database, model.model);
        const step = async (): Promise<number> => {
          const documents = await rows.next(1);
          await rows.save(await embeddedBy(model, documents));
          return documents.length;
        };
        return { database, rows, step };
      };
      const [one, other] = [open(first), open(next)];
      const model = change === "model" ? first : next;
      await one.step();
      await one.step();
      const late = await one.rows.next(1);
      await other.step();
      if (change === "length") await other.step();
      expect(await scenario.reader.withoutVectors(next.model)).to.equal(2);
      await one.rows.save(await embeddedBy(model, late));
      const last = change === "model" ? one : other;
      while ((await last.step()) > 0);
      expect(await scenario.found("car", { meaning: model.meaning("car") })).to.have.members(["a", "b", "c"]);
      for (const { database } of [one, other]) database.close();
      await scenario.close();
    });
});

const embeddedBy = async (model: Synonyms, documents: readonly UnembeddedRow[]) => {
  const vectors = await model.embed(documents.map(({ text }) => text));
  return documents.map((document, at) => ({
    document,
    passages: vectors.slice(at, at + 1).map((vector) => ({ passage: { start: 0, end: 1 }, vector })),
  }));
};
