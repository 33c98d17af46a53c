import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { openSearchIndex } from "./openSearchIndex.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

const filler = (length: number): string => Array.from({ length }, () => "fog").join(" ");

describe("the length of documents", () => {
  let scenario: SearchScenario;
  beforeEach(async () => {
    const folder = temporaryFolder("search-index").path;
    scenario = new SearchScenario(
      await openSearchIndex(join(folder, "search.sqlite"), () => rmSync(folder, { recursive: true })),
    );
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  /** Twenty terms each, as both of the others on average. */
  const others = () =>
    Array.from({ length: 8 }, (_unused, n) => scenario.document({ id: `other${n}`, title: "note", text: filler(19) }));

  it("counts, so that of documents that hold the word once the shorter comes first", async () => {
    await scenario.given(
      scenario.document({ id: "long", title: "note", text: `harbour ${filler(34)}` }),
      scenario.document({ id: "short", title: "note", text: `harbour ${filler(8)}` }),
      ...others(),
    );
    expect((await scenario.search("harbour")).hits.map(({ id }) => id)).to.deep.equal(["wiki__short", "wiki__long"]);
  });

  it("counts half, so that a document of nearly twice the average that holds the word twice comes before one of half that holds it once", async () => {
    await scenario.given(
      scenario.document({ id: "short", title: "note", text: `harbour ${filler(8)}` }),
      scenario.document({ id: "long", title: "note", text: `harbour ${filler(33)} harbour` }),
      ...others(),
    );
    expect((await scenario.search("harbour")).hits.map(({ id }) => id)).to.deep.equal(["wiki__long", "wiki__short"]);
  });
});
