import { join } from "node:path";
import { expect } from "chai";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openSearchIndex } from "./openSearchIndex.js";

/** More than are read for one search. */
const notes = 2_100;
const pilot = { groups: ["pilots"] };
const cook = { groups: ["cooks"] };
const german = (text: string): string => `${text} Das ist alles, was dazu noch zu sagen ist, und mehr nicht.`;

describe("words of who sees few documents", () => {
  const folder = temporaryFolder("open-words");
  let scenario: SearchScenario;
  const documentOf = (id: string, text: string, access = pilot) =>
    scenario.document({ id, title: "-", text: german(text), access });
  const foundByPilot = () => scenario.found("Kaution!", { as: pilot });

  before(async () => {
    scenario = new SearchScenario(await openSearchIndex(join(folder.path, "search.sqlite"), folder.remove));
    await scenario.given(scenario.datasource({ name: "wiki" }));
    await scenario.given(...Array.from({ length: notes }, (_, n) => documentOf(`note${n}`, `Notiz ${n}.`)));
    await scenario.given(
      documentOf("last", "Die Mietkaution ist hinterlegt."),
      documentOf("hidden", "Die Barkaution ist bezahlt.", cook),
    );
  });
  after(() => scenario.close());

  it("are found before all documents are read, and after", async () => {
    for (let search = 0; search < 3; search += 1) expect(await foundByPilot()).to.deep.equal(["last"]);
  });

  it("are found as they come and go", async () => {
    await scenario.given(documentOf("newer", "Die Mietkaution ist fällig."), documentOf("other", "Eine Fahrkaution."));
    expect((await foundByPilot()).toSorted()).to.deep.equal(["last", "newer", "other"]);
    await scenario.given(scenario.deleted("newer"), scenario.deleted("other"));
    expect(await foundByPilot()).to.deep.equal(["last"]);
    expect(await scenario.found("Fahr", { as: pilot })).to.deep.equal([]);
    expect(await scenario.found("Kaution!", { as: cook })).to.deep.equal(["hidden"]);
  });
});
