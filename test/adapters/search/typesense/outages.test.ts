import { inspect } from "node:util";
import { expect } from "chai";
import { EngineUnavailable } from "../../../../projections/ports.js";
import { analyse } from "../../../../projections/search/prepareDocuments.js";
import { openTypesenseSearchIndexWriter } from "../../../../src/adapters/search/typesense/openTypesenseSearchIndexWriter.js";
import { openTypesenseSearchReader } from "../../../../src/adapters/search/typesense/openTypesenseSearchReader.js";
import { toDatasourceName, toDocumentId } from "../../../../src/shared/ids.js";
import { beginning, toPosition } from "../../../../src/shared/position.js";
import { ReadModelUnavailable } from "../../../../src/shared/failures.js";
import { noFilters, SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { TypesenseDouble } from "../../../support/typesense/typesenseDouble.js";
import { openSearchIndex } from "./openSearchIndex.js";
import { newNamespace } from "../../../support/newNamespace.js";

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe("Typesense that fails", () => {
  let double: TypesenseDouble;
  let namespace: string;
  let scenario: SearchScenario;
  beforeEach(async () => {
    double = await TypesenseDouble.start();
    namespace = newNamespace();
    scenario = new SearchScenario(await openSearchIndex(double, namespace));
    await scenario.given(scenario.datasource({ name: "wiki" }), scenario.document({ id: "a", text: "harbour" }));
  });
  afterEach(async () => {
    double.interfere = () => null;
    await scenario.close();
    await double.stop();
  });

  it("answers in part where it runs out of time, also for phrases", async () => {
    double.isSlow = true;
    for (const query of ["harbour", '"harbour harbour"'])
      expect(await scenario.search(query)).to.deep.include({ total: 0, totalRelation: "gte", partial: true });
    double.isSlow = false;
    expect(await scenario.search("harbour")).to.not.have.property("partial");
  });

  it("makes every answer of a reader an unavailability, never a nothing found", async () => {
    for (const mishap of [{ status: 503 }, "cutBefore"] as const) {
      double.interfere = () => mishap;
      const questions = [
        scenario.search("harbour"),
        scenario.reader.find(toDatasourceName("wiki"), toDocumentId("a")),
        scenario.reader.text(toDatasourceName("wiki"), toDocumentId("a")),
        scenario.reader.position(),
      ];
      for (const error of await Promise.all(questions.map(rejection)))
        expect(error).to.be.instanceOf(ReadModelUnavailable);
      expect(await scenario.reader.reached(toPosition(99), 5)).to.equal(false);
    }
    double.interfere = () => null;
    expect(await scenario.found("harbour")).to.deep.equal(["a"]);
  });

  it("gives up on a server that does not answer", async () => {
    const reader = await openTypesenseSearchReader({
      url: double.url,
      apiKey: double.apiKey,
      namespace,
      requestTimeoutMs: 300,
    });
    double.interfere = () => "silence";
    const error = await rejection(
      reader.search({ query: "harbour", held: scenario.holding({}), filters: noFilters, count: 10, startPage: 0 }),
    );
    expect(error)
      .to.be.instanceOf(ReadModelUnavailable)
      .with.property("message")
      .that.matches(/did not answer within 300 ms/);
    await reader.close();
  });

  it("lets the projection wait, and a batch that was half written be delivered again", async () => {
    const cuts = ["cutBefore", "cutAfter"] as const;
    for (let requests = 1; requests <= 12; requests += 1) {
      for (const cut of cuts) {
        const id = `${cut}${requests}`;
        let seen = 0;
        double.interfere = () => (++seen === requests ? cut : null);
        const events = [
          scenario.document({ id, text: "lighthouse", access: { groups: [id] } }),
          scenario.document({ id: "a", text: `harbour ${id}` }),
        ];
        const error = await rejection(scenario.given(...events));
        double.interfere = () => null;
        if (error === null) continue;
        expect(error).to.be.instanceOf(EngineUnavailable);
        expect(await scenario.redelivered()).to.equal("applied");
        expect(await scenario.found("lighthouse", { as: { groups: [id] } }), id).to.deep.equal([id]);
        expect(await scenario.found(`${id}!`, { as: {} }), id).to.deep.equal(["a"]);
      }
    }
    expect((await scenario.search("harbour")).total).to.equal(1);
  });

  it("lets a catch-up deliver again what failed while it went on, and says what fails then", async () => {
    const before = scenario.position;
    const deliver = (id: string) => scenario.givenInCatchUp(scenario.document({ id, text: `lighthouse ${id}` }));
    const deliverAll = async (): Promise<readonly unknown[]> => {
      scenario.position = await scenario.checkpoint();
      return [await deliver("c1").catch((error: unknown) => error), await deliver("c2")];
    };
    double.interfere = ({ path }) => (path.endsWith("_documents/documents/import") ? { status: 503 } : null);
    expect(await deliverAll()).to.deep.equal(["applied", "checkpointConflict"]);
    expect(await scenario.checkpoint()).to.equal(before);
    scenario.position = before;
    expect(await rejection(deliver("c1"))).to.be.instanceOf(EngineUnavailable);
    double.interfere = () => null;
    expect(await deliverAll()).to.deep.equal(["applied", "applied"]);
    expect(await scenario.checkpoint()).to.equal(toPosition(before + 2n));
    expect(await scenario.found("lighthouse")).to.deep.equal(["c2", "c1"]);
  });

  it("is not believed where only the request succeeded: a refused line is waited for, or blames the event", async () => {
    for (const [code, isEngine] of [
      [500, true],
      [422, true],
      [400, false],
    ] as const) {
      const { position } = scenario;
      double.interfere = ({ path }) => (path.endsWith("_documents/documents/import") ? { lines: code } : null);
      const error = await rejection(scenario.given(scenario.document({ id: "b", text: "harbour" })));
      double.interfere = () => null;
      expect(error instanceof EngineUnavailable, String(code)).to.equal(isEngine);
      expect(error).to.be.instanceOf(Error);
      scenario.position = position;
      expect(await scenario.checkpoint()).to.equal(position);
    }
  });

  it("that has lost everything is filled again from the beginning, and serves nothing half until it is", async () => {
    const reached = await scenario.reader.position();
    double.loseEverything();
    expect(await rejection(scenario.search("harbour"))).to.be.instanceOf(ReadModelUnavailable);
    expect(await scenario.redelivered()).to.equal("checkpointConflict");
    expect(await scenario.checkpoint()).to.equal(beginning);
    expect(await rejection(scenario.search("harbour"))).to.be.instanceOf(ReadModelUnavailable);
    expect(await scenario.redelivered()).to.equal("applied");
    expect(await scenario.reader.position()).to.equal(reached);
    expect(await scenario.found("harbour")).to.deep.equal(["a"]);
  });

  it("that has lost everything gives its words anew, however many a reader knew before", async () => {
    for (const word of ["quay", "pier", "mole"]) await scenario.given(scenario.document({ id: word, text: word }));
    expect(await scenario.found("mole")).to.deep.equal(["mole"]);
    double.loseEverything();
    expect(await scenario.redelivered()).to.equal("checkpointConflict");
    scenario.position = await scenario.checkpoint();
    await scenario.given(scenario.datasource({ name: "wiki" }), scenario.document({ id: "new", text: "zeppelin" }));
    expect(await scenario.found("zeppelin!")).to.deep.equal(["new"]);
  });

  it("is told from a wrong address and a wrong key at once, in a sentence without the key", async () => {
    const refused = await rejection(openTypesenseSearchReader({ url: double.url, apiKey: "wrong-secret", namespace }));
    expect(String(refused)).to.match(/refuses the API key/);
    const nobody = await rejection(
      openTypesenseSearchIndexWriter({
        url: "http://127.0.0.1:1",
        apiKey: "wrong-secret",
        namespace,
        analyse,
        onFailure: () => undefined,
        openTimeoutMs: 300,
      }),
    );
    expect(String(nobody)).to.match(/127\.0\.0\.1:1 cannot be reached/);
    for (const error of [refused, nobody]) expect(inspect(error, { depth: 10 })).not.to.match(/wrong-secret/);
  });

  it("tells neither key nor texts in its errors", async () => {
    double.interfere = () => ({ status: 500 });
    const errors = [
      await rejection(scenario.search("harbour")),
      await rejection(scenario.given(scenario.document({ id: "b", text: "confidential" }))),
    ];
    for (const error of errors) expect(inspect(error, { depth: 10 })).not.to.match(/double"|confidential|harbour/);
  });
});
