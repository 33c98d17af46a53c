import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { expectSums } from "../../../contracts/searchIndexExplanationContract.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openSearchIndex } from "./openSearchIndex.js";

describe("the explanations of the SQLite search index", () => {
  it("tell that the parts of a name stand together", async () => {
    const folder = temporaryFolder("search-index").path;
    const scenario = new SearchScenario(
      await openSearchIndex(join(folder, "search.sqlite"), () => rmSync(folder, { recursive: true })),
    );
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      scenario.document({ id: "name", text: "the foo_bar" }),
      scenario.document({ id: "parts", text: "a bar and a foo" }),
    );
    const page = await scenario.search("foo_bar ", { explain: true });
    expectSums(page, "foo_bar");
    const bonuses = page.hits.map(({ explanation }) => (explanation?.bonuses ?? []).map(({ bonus }) => bonus));
    expect(bonuses[0]).to.include("name_together");
    expect(bonuses[1]).not.to.include("name_together");
    await scenario.close();
  });
});
