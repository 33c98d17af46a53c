import { expect } from "chai";
import type { Drift } from "../../../src/operations/verify/answers.js";
import { keyOf } from "../../../src/operations/verify/expectedSubjects.js";
import { toHeldTokens } from "../../../src/readModels/search.js";
import { ReadModelUnavailable } from "../../../src/shared/failures.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { documentsIn, servedHistories } from "../../support/documentLanguage.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { tokens } from "../../support/readModelWriters.js";
import { describeOnServedEngines } from "../../support/servedEngines.js";
import { RememberedTexts, type ServedReadModels } from "../../support/servedReadModels.js";
import * as fc from "fast-check";

const wiki = eventsOn("wiki");
const incarnation = wiki.datasource;

describe("the comparison of read models", () => {
  describeOnServedEngines((open) => {
    let served: ServedReadModels;
    beforeEach(async () => {
      served = await open();
    });
    afterEach(() => served.close());

    const story = async (): Promise<void> => {
      const { indexed, deleted } = documentsIn(served.texts);
      await served.given(
        wiki.opened(),
        wiki.created("pilots"),
        wiki.created("crew"),
        wiki.registered("ada"),
        wiki.registered("bob"),
        wiki.joins("ada", "pilots"),
        wiki.nests("pilots", "crew"),
        {
          type: "SubAdded",
          data: { datasourceId: wiki.datasourceId, name: "Sub", key: "sub", parentKey: null, subs: [] },
        },
        indexed(incarnation, "open"),
        indexed(incarnation, "secret", { access: { groups: ["crew"] }, sub: "sub" }),
        indexed(incarnation, "gone"),
        deleted(incarnation, "gone"),
        { type: "SubRemoved", data: { datasourceId: wiki.datasourceId, key: "sub", parentKey: null } },
        {
          type: "ApiKeyCreated",
          data: {
            id: "key" as never,
            email: wiki.email("ada"),
            secretSha256: "hash",
            expiresAt: null,
            roles: ["operator"],
          },
        },
        { type: "ApiKeyRevoked", data: { id: "key" as never } },
      );
    };

    it("finds nothing where everything is served as the log says", async () => {
      await story();
      const { drift, compared, complete, unsettled } = await served.compare();
      expect(drift).to.deep.equal([]);
      expect({ compared, complete, unsettled }).to.deep.equal({
        compared: { document: 3, person: 2, group: 2, datasource: 1, credential: 1 },
        complete: true,
        unsettled: [],
      });
    });

    it("reads the log in as many goes as its memory asks for, and comes to the same", async () => {
      await story();
      const { drift, compared } = await served.compare({ limits: { held: 2, reachMs: 5_000 } });
      expect(drift).to.deep.equal([]);
      expect(compared).to.deep.equal({ document: 3, person: 2, group: 2, datasource: 1, credential: 1 });
    });

    it("looks at the same part of everything for the same seed, and at the rest for none", async () => {
      await story();
      const looked = async (part: number, seed: string) =>
        (await served.compare({ sample: { part, seed }, against: {} })).drift.map(({ subject }) => keyOf(subject));
      const [half, again] = [await looked(0.5, "a"), await looked(0.5, "a")];
      expect(half).to.deep.equal(again);
      expect(await looked(0, "a")).to.deep.equal([]);
      // Against readers that know nothing everything that is there is a difference.
      expect((await looked(1, "a")).sort()).to.deep.equal([
        "ada@example.org",
        "bob@example.org",
        "key",
        "wiki",
        "wiki/open",
        "wiki/secret",
      ]);
      expect(half.length).to.be.lessThan(6);
    });

    it("tells who is missing on an access list and who is on it without being meant, in words", async () => {
      await story();
      const { search } = served.readers;
      if (search === undefined) return;
      const everyone = tokens.anonymous(wiki.datasourceId);
      const widened = {
        ...served.readers,
        search: new Proxy(search, {
          get: (target, name) =>
            name === "find"
              ? async (...asked: Parameters<typeof search.find>) => {
                  const found = await target.find(...asked);
                  return found && found.tokens.length === 1 ? { ...found, tokens: [everyone] } : found;
                }
              : name === "searchedBy"
                ? undefined
                : (target[name as keyof typeof target] as (...of: unknown[]) => unknown).bind(target),
        }),
      };
      expect(differencesOf(await served.compare({ served: widened }))).to.deep.equal({
        "wiki/secret": [
          { aspect: "principals", missing: ["group crew of wiki"], extra: ["everyone registered of wiki"] },
        ],
      });
    });

    it("takes another version for right where it is given one", async () => {
      await story();
      const { access } = served.readers;
      if (access === undefined) return;
      const forgetful = {
        access: new Proxy(access, {
          get: (target, name) =>
            name === "heldTokens"
              ? async () => toHeldTokens([])
              : (target[name as keyof typeof target] as (...of: unknown[]) => unknown).bind(target),
        }),
      };
      expect(
        Object.keys(differencesOf(await served.compare({ served: forgetful, against: served.readers }))),
      ).to.deep.equal(["ada@example.org", "bob@example.org"]);
      expect(differencesOf(await served.compare({ served: served.readers, against: served.readers }))).to.deep.equal(
        {},
      );
    });

    it("takes nothing for a difference that was written during the comparison", async () => {
      await story();
      let [others, isFirst] = [Promise.resolve() as Promise<unknown>, true];
      const onProgress = (): void => {
        if (!isFirst) return;
        isFirst = false;
        const { indexed } = documentsIn(served.texts);
        others = served.given(
          wiki.leaves("ada", "pilots"),
          indexed(incarnation, "open", { title: "Another title", access: {} }),
        );
      };
      const { drift, unsettled } = await served.compare({ onProgress, rest: async () => void (await others) });
      expect({ drift, unsettled }).to.deep.equal({ drift: [], unsettled: [] });
    });

    it("says nothing of a document that its engine could not read in time", async () => {
      await story();
      const { search } = served.readers;
      if (search === undefined) return;
      const away = new ReadModelUnavailable("The engine was too slow.");
      const slow = new Proxy(search, {
        get: (target, name) =>
          name === "find"
            ? async () => Promise.reject(away)
            : (target[name as keyof typeof target] as (...of: unknown[]) => unknown).bind(target),
      });
      const refusal = await served.compare({ served: { ...served.readers, search: slow } }).catch((error) => error);
      expect(refusal).to.equal(away);
    });

    it("refuses to compare with read models that do not come as far as the log", async () => {
      await story();
      served.log.append(wiki.registered("carl"));
      const refusal = await served.compare({ limits: { reachMs: 20 } }).catch((error: Error) => error.message);
      expect(refusal).to.contain("did not come as far as the log");
    });
  });
});

describe("what the log is folded to for a comparison", () => {
  describeOnServedEngines((open) => {
    it("is what the projections serve, whatever has happened", async () => {
      const texts = new RememberedTexts();
      await fc.assert(
        fc.asyncProperty(servedHistories(texts), async (events) => {
          const served = await open();
          try {
            Object.assign(served, { texts });
            await served.given(...events);
            expect(differencesOf(await served.compare({ limits: { held: 20, reachMs: 5_000 } }))).to.deep.equal({});
          } finally {
            await served.close();
          }
        }),
        propertyRuns(8),
      );
    });
  });
});

const differencesOf = ({ drift }: { readonly drift: readonly Drift[] }): object =>
  Object.fromEntries(drift.map(({ subject, differences }) => [keyOf(subject), differences]));
