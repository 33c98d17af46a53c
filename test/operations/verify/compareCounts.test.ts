import { expect } from "chai";
import { compareCounts, type CountedVersion } from "../../../src/operations/verify/compareCounts.js";
import type { Counted } from "../../../queries/ports.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { documentsIn } from "../../support/documentLanguage.js";
import { describeOnServedEngines } from "../../support/servedEngines.js";
import type { ServedReadModels } from "../../support/servedReadModels.js";
import { beginning } from "../../../src/shared/position.js";

const [wiki, news] = [eventsOn("wiki"), eventsOn("news")];
const names = ["search", "groupClosure", "catalogue", "credentials"] as const;

describe("what engines count", () => {
  describeOnServedEngines((open, damageOf) => {
    let served: ServedReadModels;
    beforeEach(async () => {
      served = await open();
    });
    afterEach(() => served.close());

    const countedOf = (name: (typeof names)[number]): Counted =>
      name === "search" ? served.search.reader.counted : served.models.readers.counted;
    const counts = async () =>
      Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await countedOf(name).counts(name)] as const)),
      );

    it("is what is served, not what is gone", async () => {
      const { indexed, deleted } = documentsIn(served.texts);
      await served.follow([
        wiki.opened(),
        news.opened(),
        wiki.created("pilots"),
        wiki.created("crew"),
        wiki.nests("pilots", "crew"),
        wiki.registered("ada"),
        wiki.registered("bob"),
        wiki.joins("ada", "pilots"),
        news.registered("ada"),
        news.created("readers"),
        indexed(wiki.datasource, "open"),
        indexed(wiki.datasource, "secret"),
        indexed(wiki.datasource, "gone"),
        deleted(wiki.datasource, "gone"),
        indexed(wiki.datasource, "open", { access: { groups: ["crew"] } }),
        indexed(news.datasource, "today"),
        news.deleted(),
        {
          type: "ApiKeyCreated",
          data: { id: "key" as never, email: wiki.email("ada"), secretSha256: "hash", expiresAt: null, roles: [] },
        },
      ]);
      expect(await counts()).to.deep.equal({
        search: { documents: 2 },
        groupClosure: { datasources: 1, groups: 2, people: 2 },
        catalogue: { datasources: 1 },
        credentials: { credentials: 1, accounts: 0 },
      });
    });

    it("shows a row that nobody would have looked for", async () => {
      const { indexed, deleted } = documentsIn(served.texts);
      await served.follow([
        wiki.opened(),
        indexed(wiki.datasource, "open"),
        indexed(wiki.datasource, "gone"),
        deleted(wiki.datasource, "gone"),
      ]);
      await damageOf(served).bringBackDocument();
      expect((await counts())["search"]).to.deep.equal({ documents: 2 });
    });
  });

  const version = (...numbers: readonly number[]): CountedVersion => {
    const left = [...numbers];
    return {
      reader: { position: () => Promise.resolve(beginning), reached: () => Promise.resolve(true) },
      counted: {
        counts: () => Promise.resolve({ documents: left.length > 1 ? (left.shift() as number) : (left[0] as number) }),
      },
    };
  };
  const compare = (live: CountedVersion, next: CountedVersion) =>
    compareCounts({
      projection: "search",
      live,
      next,
      head: () => Promise.resolve(beginning),
      signal: new AbortController().signal,
    });

  it("differs where it differs each time", async () => {
    expect(await compare(version(5), version(6))).to.deep.equal({
      compared: ["documents"],
      differences: [{ what: "documents", live: 5, next: 6 }],
    });
  });

  it("does not differ where others write meanwhile", async () => {
    expect((await compare(version(5, 7), version(6))).differences).to.deep.equal([]);
    expect((await compare(version(5, 5, 6, 6), version(6))).differences).to.deep.equal([]);
  });
});
