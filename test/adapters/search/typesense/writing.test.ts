import { expect } from "chai";
import { EngineUnavailable } from "../../../../projections/ports.js";
import { analyse } from "../../../../projections/search/prepareDocuments.js";
import {
  openTypesenseSearchIndexWriter,
  type TypesenseSearchIndexWriterOptions,
} from "../../../../src/adapters/search/typesense/openTypesenseSearchIndexWriter.js";
import { toPosition } from "../../../../src/shared/position.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex } from "./openSearchIndex.js";
import { newNamespace } from "../../../support/newNamespace.js";

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe("writing to Typesense", () => {
  let double: TypesenseDouble;
  let namespace: string;
  const open: SearchScenario[] = [];
  const opened = async (options: Partial<TypesenseSearchIndexWriterOptions> = {}): Promise<SearchScenario> => {
    const scenario = new SearchScenario(await openSearchIndex(double, namespace, options));
    open.push(scenario);
    return scenario;
  };
  beforeEach(async () => {
    double = await TypesenseDouble.start();
    namespace = newNamespace();
  });
  afterEach(async () => {
    for (const scenario of open.splice(0)) await scenario.close();
    await double.stop();
  });

  it("stops at once where the right to write is lost, before each request", async () => {
    let requestsLeft = Number.POSITIVE_INFINITY;
    const heldUntil = (): number => (requestsLeft-- > 0 ? performance.now() + 60_000 : performance.now() - 1);
    const scenario = await opened({ heldUntil });
    await scenario.given(scenario.datasource({ name: "wiki" }), scenario.document({ id: "a", text: "harbour" }));
    for (let allowed = 0; allowed < 4; allowed += 1) {
      requestsLeft = allowed;
      const { position } = scenario;
      const before = double.requests.length;
      const error = await rejection(scenario.given(scenario.document({ id: "a", text: "lighthouse" })));
      expect(error).to.be.instanceOf(EngineUnavailable);
      expect(double.requests.length - before, "requests sent").to.equal(allowed);
      scenario.position = position;
    }
    requestsLeft = Number.POSITIVE_INFINITY;
  });

  it("gives a request no more time than the lease leaves", async () => {
    let leftMs = 60_000;
    const scenario = await opened({ heldUntil: () => performance.now() + leftMs });
    double.interfere = ({ path }) => (path === "/multi_search" ? "silence" : null);
    leftMs = 250;
    // Without the lease's end this would wait for longer than tests may take.
    expect(await rejection(scenario.given(scenario.datasource({ name: "wiki" })))).to.be.instanceOf(EngineUnavailable);
    double.interfere = () => null;
  });

  it("lets a reader know all words, however many pages of them have come and been put together since", async () => {
    const scenario = await opened();
    await scenario.given(scenario.datasource({ name: "wiki" }), scenario.document({ id: "a", text: "harbour" }));
    expect(await scenario.found("harbour")).to.deep.equal(["a"]);
    const words = Array.from(
      { length: 80 },
      (_, n) => `quay${"abcdefghij".charAt(n / 10)}${"klmnopqrst".charAt(n % 10)}`,
    );
    for (const word of words) await scenario.given(scenario.document({ id: word, text: word }));
    for (const word of words) expect(await scenario.found(`${word}!`), word).to.deep.equal([word]);
  });

  it("never replaces a document by an older version", async () => {
    const scenario = await opened();
    await scenario.given(scenario.datasource({ name: "wiki" }));
    const [before, newer, older] = [
      scenario.position,
      scenario.document({ id: "a", text: "lighthouse" }),
      scenario.document({ id: "a", text: "harbour" }),
    ];
    // Two versions are written, and the checkpoint is not: the process died. They come again, this time one by one.
    double.interfere = ({ body }) => (body.includes(`\\"position\\":\\"${before + 2n}\\"`) ? "cutBefore" : null);
    await rejection(scenario.given(older, newer));
    double.interfere = () => null;
    const index = await openTypesenseSearchIndexWriter({
      url: double.url,
      apiKey: double.apiKey,
      namespace,
      analyse,
      onFailure: () => undefined,
    });
    expect(await index.checkpoint()).to.equal(before);
    const again = new SearchScenario({
      index,
      reader: scenario.reader,
      reopen: () => Promise.reject(new Error("never")),
      close: () => index.close(),
    });
    again.position = before;
    open.unshift(again);
    await again.given(again.document({ id: "a", text: "harbour" }));
    expect(await again.found("harbour")).to.deep.equal([]);
    expect(await again.found("lighthouse")).to.deep.equal(["a"]);
  });

  it("takes a batch from one of two writers, and tells the other", async () => {
    const scenario = await opened();
    const other = await openTypesenseSearchIndexWriter({
      url: double.url,
      apiKey: double.apiKey,
      namespace,
      analyse,
      onFailure: () => undefined,
    });
    const after = await other.checkpoint();
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      scenario.document({ id: "a", text: "harbour", access: { groups: ["pilots"] } }),
    );
    const batch = { after, position: toPosition(1), parked: [], datasources: [], documents: [] };
    expect(await other.write(batch)).to.equal("checkpointConflict");
    expect(await other.write({ ...batch, after: scenario.position, position: toPosition(9) })).to.equal("applied");
    expect(await scenario.checkpoint()).to.equal(toPosition(9));
    await other.close();
  });

  it("builds another version beside the one that is served, and serves it once it has come as far", async () => {
    const alias = `${namespace}_search`;
    const old = `${namespace}_search_oldrules`;
    const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const answer = await fetch(double.url + path, {
        method,
        headers: { "x-typesense-api-key": double.apiKey },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    const fields = [
      { name: "kind", type: "string" },
      { name: "v", type: "int64" },
      { name: "n", type: "int32" },
    ];
    await ask("POST", "/collections", { name: `${old}_documents`, fields });
    await ask("POST", "/collections", { name: `${old}_state`, fields });
    await ask("PUT", `/aliases/${alias}`, { collection_name: `${old}_documents` });
    const row = {
      id: "checkpoint",
      kind: "checkpoint",
      v: 2,
      n: 0,
      json: JSON.stringify({ position: "2", stamp: "x" }),
    };
    await ask("POST", `/collections/${old}_state/documents/import?action=upsert`, row).catch(() => undefined);

    const scenario = await opened();
    await scenario.given(scenario.datasource({ name: "wiki" }));
    expect((await ask("GET", `/aliases/${alias}`))["collection_name"]).to.equal(`${old}_documents`);
    expect(String(await rejection(scenario.search("harbour")))).to.match(/is being built/);
    await scenario.given(scenario.document({ id: "a", text: "harbour" }));
    expect(await scenario.found("harbour")).to.deep.equal(["a"]);
    expect((await ask("GET", `/collections/${old}_documents`))["message"]).to.equal("Collection not found");
  });

  it("ranks a long document by words that are not among its most frequent", async () => {
    const scenario = await opened();
    const distinct = Array.from({ length: 4_200 }, (_, n) => `word${n}x`).join(" ");
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      scenario.document({ id: "long", title: "Note", text: `${distinct} astrolabe at the end` }),
      ...Array.from({ length: 30 }, (_, n) =>
        scenario.document({ id: `d${n}`, title: "Note", text: "mountain and sea" }),
      ),
    );
    expect((await scenario.found("mountain astrolabe!"))[0]).to.equal("long");
  });

  it("refuses a name that belongs to something else", async () => {
    const ask = (method: string, path: string, body: unknown) =>
      fetch(double.url + path, {
        method,
        headers: { "x-typesense-api-key": double.apiKey },
        body: JSON.stringify(body),
      });
    await ask("PUT", `/aliases/${namespace}_search`, { collection_name: "products" });
    expect(String(await rejection(opened()))).to.match(/not a search collection of this product/);
  });

  it("puts nothing but letters and digits of its own making into filters", async () => {
    const scenario = await opened();
    const nasty = "`x`] || acl:=[`3c` && ds:!=none ) ( Häuser дом 漢字 foo:bar";
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      scenario.document({ id: "a-b_c.d", text: nasty, access: { groups: ["x`] || acl:!=[`"] } }),
    );
    expect(await scenario.found(nasty, { as: { groups: ["x`] || acl:!=[`"] } })).to.deep.equal(["a-b_c.d"]);
    expect(await scenario.found(nasty, { as: { groups: ["pilots"] } })).to.deep.equal([]);
    const filters = double.requests
      .filter(({ path }) => path === "/multi_search")
      .flatMap(({ body }) =>
        (JSON.parse(body) as { searches: { filter_by?: string }[] }).searches.flatMap(
          ({ filter_by: filter }) => filter ?? [],
        ),
      );
    for (const filter of filters)
      expect(filter.replace(/ && | \|\| |[()]/g, " ").trim()).to.match(
        /^(\w+:(?:=|<|>|<=|>=|)(\[[a-z0-9,]*\]|-?[a-z0-9]+) *)+$/,
      );
  });

  it("asks with whichever is shorter, the person's classes or the principals that documents name", async () => {
    const scenario = await opened();
    const groups = Array.from({ length: 40 }, (_, n) => `g${n}`);
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      scenario.document({ id: "all", text: "harbour", access: { groups } }),
    );
    const filterOf = async (): Promise<string> => {
      await scenario.found("harbour", { as: { groups: [...groups, "unnamed"] } });
      const searches = double.requests
        .filter(({ path }) => path === "/multi_search")
        .flatMap(({ body }) => (JSON.parse(body) as { searches: { filter_by?: string }[] }).searches);
      return (
        searches.flatMap(({ filter_by: filter }) => /(?:cls|acl):\[[^\]]*\]/.exec(filter ?? "") ?? []).at(-1) ?? ""
      );
    };
    expect(await filterOf()).to.match(/^cls:\[[a-z0-9]+\]$/);
    await scenario.given(
      ...Array.from({ length: 300 }, (_, n) =>
        scenario.document({ id: `d${n}`, text: "harbour", access: { groups: ["g0", `other${n}`] } }),
      ),
      scenario.deleted("all"),
    );
    expect((await filterOf()).startsWith("acl:[")).to.equal(true);
  });
});
