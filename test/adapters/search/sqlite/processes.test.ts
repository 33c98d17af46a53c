import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { analyse } from "../../../../projections/search/prepareDocuments.js";
import { openSqliteSearchIndexWriter } from "../../../../src/adapters/search/sqlite/openSqliteSearchIndexWriter.js";
import { beginning, toPosition } from "../../../../src/shared/position.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { openSearchIndex } from "./openSearchIndex.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

describe("a search index that several processes share", () => {
  let folder: string;
  let file: string;
  let scenario: SearchScenario;
  beforeEach(async () => {
    folder = temporaryFolder("search-index").path;
    file = join(folder, "search.sqlite");
    scenario = new SearchScenario(await openSearchIndex(file, () => rmSync(folder, { recursive: true })));
  });
  afterEach(() => scenario.close());

  it("shows what another process projected", async () => {
    expect(await scenario.found("harbour")).to.deep.equal([]);
    const reached = scenario.reader.reached(toPosition(2), 15_000);
    const child = fork(new URL("./projectInChild.js", import.meta.url), [file], { stdio: "inherit" });
    expect(await once(child, "exit")).to.deep.equal([0, null]);
    expect(await reached).to.equal(true);
    expect(await scenario.found("harbour")).to.deep.equal(["from-child"]);
  });

  it("takes a batch from one of two writers, and tells the other", async () => {
    const other = openSqliteSearchIndexWriter({ file, analyse, onFailure: (error) => expect.fail(String(error)) });
    await scenario.given(scenario.datasource({ name: "wiki" }), scenario.document({ id: "a", text: "harbour" }));
    const batch = { after: beginning, position: toPosition(1), parked: [], datasources: [], documents: [] };
    expect(await other.write(batch)).to.equal("checkpointConflict");
    expect(await other.checkpoint()).to.equal(scenario.position);
    expect(await other.write({ ...batch, after: scenario.position, position: toPosition(9) })).to.equal("applied");
    expect(await scenario.checkpoint()).to.equal(toPosition(9));
    other.close();
  });
});
