import { expect } from "chai";
import type { Difference } from "../../src/operations/verify/answers.js";
import { keyOf } from "../../src/operations/verify/expectedSubjects.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import { isDiscardable } from "../../src/events/discardable.js";
import { eventsOn } from "../support/accessLanguage.js";
import { documentsIn, servedHistories } from "../support/documentLanguage.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { describeOnServedEngines } from "../support/servedEngines.js";
import { RememberedTexts, type ServedReadModels } from "../support/servedReadModels.js";
import * as fc from "fast-check";

const wiki = eventsOn("wiki");
const incarnation = wiki.datasource;
type Asked = "ParkedEventRetried" | "ParkedEventDiscarded";

const askFor = async (served: ServedReadModels, type: Asked): Promise<readonly DomainEvent[]> =>
  (await served.parked()).map(({ projection, position }) => ({
    type,
    data: { projection, version: 1, position: position.toString() },
  }));

/** What is served otherwise than the log says, by subject. */
const driftOf = async (served: ServedReadModels): Promise<Readonly<Record<string, readonly Difference[]>>> => {
  const { drift, suspended } = await served.compare();
  return Object.fromEntries([
    ...drift.map(({ subject, differences }) => [keyOf(subject), differences] as const),
    ...suspended.map(({ name }) => [name, []] as const),
  ]);
};

describe("an event that is parked", () => {
  describeOnServedEngines((open) => {
    let served: ServedReadModels;
    beforeEach(async () => {
      served = await open();
    });
    afterEach(() => served.close());

    const story = (): readonly DomainEvent[] => {
      const { indexed } = documentsIn(served.texts);
      return [
        wiki.opened(),
        wiki.created("pilots"),
        wiki.registered("ada"),
        wiki.registered("bob"),
        wiki.joins("ada", "pilots"),
        wiki.joins("bob", "pilots"),
        indexed(incarnation, "open"),
        indexed(incarnation, "secret", { access: { groups: ["pilots"] } }),
      ];
    };
    const isFor =
      (person: string) =>
      ({ event }: RecordedEvent) =>
        event.type === "MembershipAdded" &&
        event.data.member.kind === "user" &&
        event.data.member.email === wiki.email(person);

    it("leaves its scope closed until it is retried, and whole from then on", async () => {
      await served.follow(story(), isFor("bob"));
      expect(await served.parked()).to.deep.equal([
        {
          projection: "groupClosure",
          position: 12n,
          stream: "user-wiki-1:bob@example.org",
          eventType: "MembershipAdded",
          scope: "datasource wiki-1",
          error: "This event cannot be applied.",
        },
      ]);
      expect(Object.keys(await driftOf(served))).to.deep.equal(["wiki"]);
      // What happens while the scope is closed belongs to it as well.
      await served.follow(
        [wiki.created("cooks"), wiki.joins("ada", "cooks"), wiki.leaves("ada", "pilots")],
        isFor("bob"),
      );
      await served.follow(await askFor(served, "ParkedEventRetried"));
      expect(await served.parked()).to.deep.equal([]);
      expect(await driftOf(served)).to.deep.equal({});
    });

    it("stays parked where it still cannot be applied, and so does its scope", async () => {
      await served.follow(story(), isFor("bob"));
      await served.follow(await askFor(served, "ParkedEventRetried"), isFor("bob"));
      expect((await served.parked()).map(({ position }) => position)).to.deep.equal([12n]);
      expect(Object.keys(await driftOf(served))).to.deep.equal(["wiki"]);
    });

    it("is followed in its scope by the next one that cannot be applied", async () => {
      await served.follow(story(), isFor("ada"));
      await served.follow(await askFor(served, "ParkedEventRetried"), isFor("bob"));
      expect((await served.parked()).map(({ position }) => position)).to.deep.equal([10n, 12n]);
      await served.follow(await askFor(served, "ParkedEventRetried"));
      expect(await served.parked()).to.deep.equal([]);
      expect(await driftOf(served)).to.deep.equal({});
    });

    it("is left out for good once it is discarded: nobody gets more by that", async () => {
      await served.follow(story(), isFor("bob"));
      await served.follow(await askFor(served, "ParkedEventDiscarded"), isFor("bob"));
      expect(await served.parked()).to.deep.equal([]);
      const drift = await driftOf(served);
      expect(Object.keys(drift)).to.deep.equal(["bob@example.org"]);
      expect(drift["bob@example.org"]?.at(-1)).to.deep.equal({
        aspect: "principals",
        missing: ["group pilots of wiki"],
        extra: [],
      });
    });

    it("does not let a document come back in an older version by being discarded", async () => {
      const { indexed } = documentsIn(served.texts);
      await served.follow(
        [...story(), indexed(incarnation, "open", { access: {} })],
        ({ position }) => position === 18n,
      );
      await served.follow(await askFor(served, "ParkedEventDiscarded"));
      expect(await served.parked()).to.deep.equal([]);
      expect(await driftOf(served)).to.deep.equal({
        "wiki/open": [{ aspect: "presence", expected: "present", served: "absent" }],
      });
    });

    it("keeps its scope closed whoever discards it, where it takes something away", async () => {
      const isLeaving = ({ event }: RecordedEvent): boolean => event.type === "MembershipRemoved";
      await served.follow([...story(), wiki.leaves("bob", "pilots")], isLeaving);
      await served.follow(await askFor(served, "ParkedEventDiscarded"), isLeaving);
      expect((await served.parked()).map(({ eventType }) => eventType)).to.deep.equal(["MembershipRemoved"]);
      expect(Object.keys(await driftOf(served))).to.deep.equal(["wiki"]);
    });

    it("asks nothing of another version or another projection", async () => {
      await served.follow(story(), isFor("bob"));
      await served.follow([
        { type: "ParkedEventRetried", data: { projection: "groupClosure", version: 2, position: "12" } },
        { type: "ParkedEventRetried", data: { projection: "search", version: 1, position: "12" } },
      ]);
      expect((await served.parked()).length).to.equal(1);
    });
  });
});

describe("whatever is parked in a history", () => {
  describeOnServedEngines((open) => {
    const texts = new RememberedTexts();
    const histories = fc.record({
      events: servedHistories(texts),
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
    });

    const withParked = async (
      story: { readonly events: readonly DomainEvent[]; readonly at: number; readonly cut: number },
      then: (served: ServedReadModels, atFault: (event: RecordedEvent) => boolean) => Promise<void>,
    ): Promise<void> => {
      const served = await open();
      try {
        Object.assign(served, { texts });
        const faulty = story.events[Math.floor(story.at * story.events.length)];
        const atFault = ({ event }: RecordedEvent): boolean => event === faulty;
        const cut = Math.floor(story.cut * story.events.length);
        await served.follow(story.events.slice(0, cut), atFault);
        await served.follow(story.events.slice(cut), atFault);
        await then(served, atFault);
      } finally {
        await served.close();
      }
    };

    it("shows nobody more than the log says, and is whole again after it was retried", async () => {
      await fc.assert(
        fc.asyncProperty(histories, (story) =>
          withParked(story, async (served) => {
            expectNothingMore(await driftOf(served));
            await served.follow(await askFor(served, "ParkedEventRetried"));
            expect(await served.parked()).to.deep.equal([]);
            expect(await driftOf(served)).to.deep.equal({});
          }),
        ),
        propertyRuns(8),
      );
    });

    it("shows nobody more than the log says after it was discarded, or stays closed", async () => {
      await fc.assert(
        fc.asyncProperty(histories, (story) =>
          withParked(story, async (served, atFault) => {
            // What rests on an event that is left out may be at fault in its turn.
            for (let round = 0; round < 20; round++) {
              const left = (await served.parked()).filter(({ projection, eventType }) =>
                isDiscardable(projection, eventType),
              );
              if (left.length === 0) break;
              await served.follow(await askFor(served, "ParkedEventDiscarded"), atFault);
            }
            expectNothingMore(await driftOf(served));
          }),
        ),
        propertyRuns(8),
      );
    });
  });
});

function expectNothingMore(drift: Readonly<Record<string, readonly Difference[]>>): void {
  for (const [subject, differences] of Object.entries(drift)) {
    for (const difference of differences) {
      if ("extra" in difference) expect(difference.extra, subject).to.deep.equal([]);
      if (difference.aspect === "presence" && "served" in difference)
        expect(difference.served, subject).to.equal("absent");
    }
  }
}
