import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import type { Embedder } from "../../../../projections/search/ports.js";
import { namesOf, vectorsNameOf, vectorsPrefix } from "../../../../src/adapters/search/typesense/schema.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { Synonyms } from "../../../support/models/synonyms.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex, patientEmbedding } from "./openSearchIndex.js";

interface Collection {
  readonly name: string;
  readonly num_documents: number;
}

describe("vectors of passages in Typesense", () => {
  let double: TypesenseDouble;
  let namespace: string;
  let scenario: SearchScenario;
  let synonyms: Synonyms;

  const engine = async (method: string, path: string): Promise<unknown> =>
    (await fetch(double.url + path, { method, headers: { "x-typesense-api-key": double.apiKey } })).json();
  const vectors = async (): Promise<readonly Collection[]> =>
    ((await engine("GET", "/collections")) as readonly Collection[]).filter(({ name }) =>
      name.startsWith(vectorsPrefix(namespace)),
    );
  const open = async (embedder: Embedder | null): Promise<void> => {
    const { position } = scenario ?? { position: undefined };
    const options = embedder === null ? {} : patientEmbedding(embedder);
    scenario = new SearchScenario(await openSearchIndex(double, namespace, options));
    if (position !== undefined) scenario.position = position;
  };
  const found = (model: Synonyms, query = "car"): Promise<string[]> =>
    scenario.found(query, { meaning: model.meaning(query) });
  const finds = async (ids: readonly string[], model = synonyms): Promise<void> => {
    while (JSON.stringify((await found(model)).sort()) !== JSON.stringify(ids)) await nextTurn();
  };

  beforeEach(async () => {
    double = await TypesenseDouble.start();
    namespace = newNamespace();
    synonyms = new Synonyms();
    scenario = undefined as never;
    await open(synonyms);
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      scenario.document({ id: "a", text: "automobile" }),
      scenario.document({ id: "b", text: "wagen" }),
    );
    await finds(["a", "b"]);
  });
  afterEach(async () => {
    await scenario.close();
    await double.stop();
  });

  it("are of length 1, in a collection of their model, and dropped with the others", async () => {
    const [only, ...others] = await vectors();
    expect([only?.name, only?.num_documents]).to.deep.equal([vectorsNameOf(namespace, "synonyms", 5), 2]);
    expect(others).to.deep.equal([]);
    await scenario.close();
    expect(await engine("GET", "/collections")).to.deep.equal([]);
    await open(synonyms);
  });

  it("are never part of an answer, and are asked for with what the person may see", async () => {
    const asked = double.requests.flatMap(({ path, body }) =>
      path === "/multi_search" && body.includes("vector_query")
        ? (JSON.parse(body) as { searches: Record<string, string>[] }).searches
        : [],
    );
    expect(asked).to.have.length.above(0);
    for (const search of asked) {
      expect(search.include_fields?.split(",")).not.to.include("v");
      expect(search.filter_by).to.match(/^(cls|acl):/);
    }
  });

  for (const [change, next, dimensions] of [
    ["name", new Synonyms("another"), 5],
    ["length", new Synonyms("synonyms", 3), 8],
  ] as const)
    it(`are made anew by a model of another ${change}, and the old ones go`, async () => {
      await scenario.restart();
      const before = scenario;
      await open(next);
      // Of another length nobody can know before the next document.
      await scenario.given(scenario.document({ id: "c", text: "automobile" }));
      await finds(["a", "b", "c"], next);
      expect(await found(synonyms)).to.deep.equal([]);
      expect((await vectors()).map(({ name }) => name)).to.deep.equal([
        vectorsNameOf(namespace, next.model, dimensions),
      ]);
      expect(before).to.exist;
    });

  it("go with their document, also where no model is configured any more", async () => {
    await open(null);
    await scenario.given(scenario.deleted("a"), scenario.document({ id: "b", text: "another text" }));
    expect((await vectors()).map(({ num_documents: rows }) => rows)).to.deep.equal([0]);
  });

  it("go with the old version, before the new one can be seen by fewer people", async () => {
    synonyms.isDown = true;
    double.requests.length = 0;
    await scenario.given(scenario.document({ id: "a", text: "automobile", access: { groups: ["board"] } }));
    const writes = double.requests.filter(({ method, path }) => method === "DELETE" || path.endsWith("/import"));
    const places = ["_vectors_", "_documents"].map((part) => writes.findIndex(({ path }) => path.includes(part)));
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    expect(await found(synonyms)).to.deep.equal(["b"]);
    synonyms.isDown = false;
  });

  it("are made anew where their collection was lost", async () => {
    for (const { name } of await vectors()) await engine("DELETE", `/collections/${name}`);
    expect(await found(synonyms)).to.deep.equal([]);
    await scenario.restart();
    await finds(["a", "b"]);
  });

  it("fail no search by words where they cannot be read", async () => {
    double.interfere = ({ body }) => (body.includes("vector_query") ? { status: 503 } : null);
    expect(await found(synonyms, "automobile")).to.deep.equal(["a"]);
    double.interfere = () => null;
  });

  it("are not given to a version of a document that was replaced while the model was asked", async () => {
    let replaced: Promise<void> | null = null;
    const slow: Embedder = {
      model: "slow",
      embed: async (texts) => {
        replaced ??= scenario.given(scenario.document({ id: "a", text: "vacation" }));
        await replaced;
        return synonyms.embed(texts);
      },
    };
    await open(slow);
    const meant = (query: string) => ({ meaning: { ...synonyms.meaning(query), model: "slow" } });
    while ((await scenario.found("holiday", meant("holiday"))).length === 0) await nextTurn();
    expect(await scenario.found("holiday", meant("holiday"))).to.deep.equal(["a"]);
    while ((await scenario.found("car", meant("car"))).length === 0) await nextTurn();
    expect(await scenario.found("car", meant("car"))).to.deep.equal(["b"]);
  });

  it("are made of documents behind however many that have no text", async () => {
    const rows = Array.from({ length: 300 }, (_unused, n) => ({
      ...{ id: `foreign${n}`, w: "x", w2: "", t: "x", ds: "x", cls: "x", acl: [], subs: [], type: "page" },
      ...{ position: 0, len: 1, props: false, parts: 1 },
    }));
    const body = rows.map((row) => JSON.stringify(row)).join("\n");
    const { documents } = namesOf(namespace);
    const headers = { "x-typesense-api-key": double.apiKey };
    const imported = await fetch(`${double.url}/collections/${documents}/documents/import?action=upsert`, {
      ...{ method: "POST", headers, body },
    });
    expect(await imported.text()).not.to.match(/"success":false/);
    await scenario.given(scenario.document({ id: "c", text: "automobile" }));
    await finds(["a", "b", "c"]);
  });
});
