import { expect } from "chai";
import { toPosition } from "../../src/shared/position.js";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Checkpoint and effect belong together; readers see a commit at once. */
export function searchIndexConsistencyContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki", subs: { team: [] } }));
  });
  afterEach(() => scenario.close());

  it("shows a commit to searches as soon as it is made", async () => {
    for (let n = 1; n <= 20; n++) {
      await scenario.given(scenario.document({ id: `d${n}`, text: "harbour" }));
      expect((await scenario.search("harbour")).total).to.equal(n);
      expect(await scenario.reader.position()).to.equal(scenario.position);
    }
  });

  it("waits for a position, and says so where it does not come in time", async () => {
    const next = toPosition(scenario.position + 1n);
    expect(await scenario.reader.reached(scenario.position, 0)).to.equal(true);
    expect(await scenario.reader.reached(next, 1)).to.equal(false);
    const waiting = scenario.reader.reached(next, 10_000);
    await scenario.given(scenario.document({ id: "a", text: "harbour" }));
    expect(await waiting).to.equal(true);
  });

  it("changes nothing when a batch is delivered again", async () => {
    await scenario.given(
      scenario.document({ id: "a", text: "harbour" }),
      scenario.document({ id: "b", text: "harbour" }),
      scenario.deleted("b"),
    );
    const before = await scenario.search("harbour");
    expect(await scenario.redelivered()).to.equal("checkpointConflict");
    expect(await scenario.search("harbour")).to.deep.equal(before);
    expect(await scenario.checkpoint()).to.equal(scenario.position);
  });

  it("goes on where it stopped", async () => {
    await scenario.given(
      scenario.document({ id: "a", text: "harbour", sub: "team" }),
      scenario.document({ id: "b", text: "harbour" }),
    );
    await scenario.restart();
    expect(await scenario.checkpoint()).to.equal(scenario.position);
    expect(await scenario.found("harbour")).to.deep.equal(["b", "a"]);
    await scenario.given(
      scenario.document({ id: "a", text: "harbour" }),
      scenario.deleted("b"),
      scenario.document({ id: "c", text: "harbour" }),
    );
    expect(await scenario.found("harbour")).to.deep.equal(["c", "a"]);
  });

  it("moves the checkpoint on where nothing changes", async () => {
    await scenario.given({ type: "DatasourceUpdated", data: { datasourceId: "unknown" as never, displayName: "New" } });
    expect(await scenario.checkpoint()).to.equal(scenario.position);
  });

  it("takes a batch with more text than is held at a time", async () => {
    const text = "harbour ".repeat(400_000);
    await scenario.given(
      ...Array.from({ length: 6 }, (_, n) => scenario.document({ id: `d${n % 5}`, text: `${text}${n}` })),
      scenario.deleted("d3"),
    );
    expect((await scenario.search("harbour")).total).to.equal(4);
    expect(await scenario.checkpoint()).to.equal(scenario.position);
  });

  it("ignores documents of a datasource that it does not know", async () => {
    await scenario.given(
      scenario.document({ id: "a", datasource: "unknown", text: "harbour" }),
      scenario.deleted("a", "unknown"),
    );
    expect(await scenario.found("harbour", { as: { registeredOn: ["wiki", "unknown"] } })).to.deep.equal([]);
  });

  it("answers many searches at once", async () => {
    await scenario.given(
      ...Array.from({ length: 50 }, (_, n) =>
        scenario.document({ id: `d${n}`, text: "harbour", access: { groups: [`g${n}`] } }),
      ),
    );
    const found = await Promise.all(
      Array.from({ length: 50 }, (_, n) => scenario.found("harbour", { as: { groups: [`g${n}`] } })),
    );
    expect(found).to.deep.equal(Array.from({ length: 50 }, (_, n) => [`d${n}`]));
  });
}
