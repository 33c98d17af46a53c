import { expect } from "chai";
import { contentStoreContract } from "../../../contracts/contentStoreContract.js";
import { eventLogBrowsingContract } from "../../../contracts/eventLogBrowsingContract.js";
import { eventLogContract } from "../../../contracts/eventLogContract.js";
import { eventLogSubscriptionContract } from "../../../contracts/eventLogSubscriptionContract.js";
import {
  appended,
  batchesToEnd,
  batchesUntil,
  eventsOf,
  namesOf,
  newEvents,
  rename,
  type EventLogUnderTest,
} from "../../../contracts/eventLogFixtures.js";
import type { RecordedEvent } from "../../../../src/events/domainEvent.js";
import { groupGraphStream } from "../../../../src/events/streams.js";
import { newDatasourceId } from "../../../../src/shared/ids.js";
import { beginning, type Position } from "../../../../src/shared/position.js";
import { EventStoreDouble } from "../../../support/eventStoreDb/eventStoreDouble.js";
import { unreadableEventsContract } from "../../../contracts/unreadableEventsContract.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { openLogOn } from "./openLog.js";

describe("the EventStoreDB event log", () => {
  /** A server for some of the tests: what each leaves there, every later one looks through. */
  const onServer = (tests: (server: () => EventStoreDouble) => void): void => {
    describe("on a server with other tenants", () => {
      let server: EventStoreDouble;
      before(async () => (server = await EventStoreDouble.start()));
      after(() => server.stop());
      tests(() => server);
    });
  };

  onServer((server) => eventLogContract(() => openLogOn(server().url), { mostBytes: 1_048_576 }));
  onServer((server) => eventLogSubscriptionContract(() => openLogOn(server().url)));
  onServer((server) => eventLogBrowsingContract(() => openLogOn(server().url)));
  onServer((server) => contentStoreContract(() => openLogOn(server().url)));
  onServer((server) =>
    unreadableEventsContract(async (newerShapes) => {
      const namespace = newNamespace();
      return {
        program: await openLogOn(server().url, namespace),
        newer: await openLogOn(server().url, namespace, newerShapes),
      };
    }),
  );

  onServer((server) =>
    describe("knowing it again", () => {
      let under: EventLogUnderTest;
      let landmark: RecordedEvent;
      beforeEach(async () => {
        under = await openLogOn(server().url);
        await rename(under.log, "noStream", "a");
        const [first] = eventsOf(await batchesToEnd(under.source));
        if (first === undefined) throw new Error("An event is expected.");
        landmark = first;
      });
      afterEach(() => under.close());

      /** Writes an event that people's projections do not follow. */
      async function passedOver(name = ""): Promise<Position> {
        const stream = groupGraphStream(newDatasourceId());
        const events = newEvents(name);
        return (await appended(under.log, { stream, expectedRevision: "noStream", events })).position;
      }
      const holds = (position: Position): Promise<boolean> => under.source.holds({ position, landmark }, ["user"]);

      it("looks through no stretch of it twice", async () => {
        const position = await passedOver();
        const looks = (): number => server().faults.calls.get("subscribe") ?? 0;
        const before = looks();
        expect(await holds(landmark.position)).to.equal(true);
        expect(looks() - before, "the landmark itself").to.equal(0);
        for (let times = 0; times < 3; times++) expect(await holds(position)).to.equal(true);
        expect(looks() - before).to.equal(1);
      });

      it("believes nothing that was found out before it went back in time", async () => {
        const mark = server().log.mark();
        const position = await passedOver();
        expect(await holds(position)).to.equal(true);
        server().log.goBackTo(mark);
        expect((await rename(under.log, 0, "b")).position).to.equal(position);
        expect(await holds(position)).to.equal(false);
      });

      it("tells no position of the server's own records, where nobody finds an event", async () => {
        const newest = await passedOver();
        server().log.writeOwnRecord();
        const reading = { categories: ["user"], after: landmark.position } as const;
        const position = (await batchesToEnd(under.source, reading)).at(-1)?.position;
        expect(position).to.equal(newest);
        expect(await holds(newest)).to.equal(true);
        const later = passedOver();
        const reached = await batchesUntil(
          under.source,
          (batches) => (batches.at(-1)?.position ?? 0n) > newest,
          reading,
        );
        expect(reached.at(-1)?.position).to.equal(await later);
      });

      describe("where the place of the next event is told before it comes", () => {
        const reading = { categories: ["user"] } as const;
        beforeEach(() => (server().log.tellsNextPlace = true));
        afterEach(() => (server().log.tellsNextPlace = false));

        for (const [what, next, seen] of [
          ["one that is followed", () => rename(under.log, 0, "next"), ["a", "next"]],
          ["one that is not", () => passedOver(), ["a"]],
        ] as const) {
          it(`passes it no sooner than it stands there: ${what}`, async () => {
            const newest = await passedOver();
            let writing: Promise<unknown> | null = null;
            const batches = await batchesUntil(
              under.source,
              (sofar) => {
                const last = sofar.at(-1);
                if (last?.caughtUp === true) writing ??= next();
                return (last?.position ?? beginning) > newest;
              },
              reading,
            );
            await writing;
            expect(namesOf(eventsOf(batches))).to.deep.equal(seen);
            expect(batches.at(-1)?.position).to.equal(await under.source.head());
          });
        }
      });

      it("takes it for another one where nobody can go on from the checkpoint", async () => {
        const mark = server().log.mark();
        await passedOver();
        const position = await passedOver();
        server().log.goBackTo(mark);
        await passedOver("a longer name, so that what comes next stands elsewhere");
        await passedOver();
        expect(await holds(position)).to.equal(false);
      });
    }),
  );
});
