import { randomUUID } from "node:crypto";
import { expect } from "chai";
import * as fc from "fast-check";
import type { EventBatch } from "../../projections/ports.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { type Checkpoint, positionBefore } from "../../src/events/eventSource.js";
import {
  categoryOf,
  datasourceStream,
  groupGraphStream,
  streamCategories,
  type StreamCategory,
  userStream,
  type StreamName,
} from "../../src/events/streams.js";
import { toDatasourceName, toEmail } from "../../src/shared/ids.js";
import { beginning, toPosition, type Position } from "../../src/shared/position.js";
import { propertyRuns } from "../support/propertyRuns.js";
import {
  alice,
  appended,
  batchesToEnd,
  batchesUntil,
  datasourceId,
  eventsOf,
  namesOf,
  newEvents,
  rename,
  type EventLogUnderTest,
} from "./eventLogFixtures.js";

const positionsOf = (events: readonly { readonly position: Position }[]): Position[] =>
  events.map(({ position }) => position);
const isRising = (positions: readonly Position[]): boolean =>
  positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? beginning));

/** What every event log promises to projections. `open` gives a fresh, empty log each time. */
export function eventLogSubscriptionContract(open: () => Promise<EventLogUnderTest>): void {
  describe("as projections see it", () => {
    let under: EventLogUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());

    /** Appends one event each to so many streams of three categories in turn. */
    async function fill(count: number): Promise<void> {
      const streamOf = (index: number): StreamName => {
        if (index % 3 === 0) return userStream(datasourceId, toEmail(`${index}@example.org`));
        return index % 3 === 1
          ? groupGraphStream(`g${index}` as typeof datasourceId)
          : datasourceStream(toDatasourceName(`d${index}`));
      };
      await Promise.all(
        Array.from({ length: count }, (_, index) =>
          appended(under.log, {
            stream: streamOf(index),
            expectedRevision: "noStream",
            events: newEvents(`event ${index}`),
          }),
        ),
      );
    }

    describe("a subscription", () => {
      it("delivers every event in the order of the log, as the streams hold it", async () => {
        await fill(30);
        await rename(under.log, "noStream", "a", "b");
        const events = eventsOf(await batchesToEnd(under.source));
        expect(events).to.have.length(32);
        expect(isRising(positionsOf(events))).to.equal(true);
        const streams = [...new Set(events.map(({ stream }) => stream))];
        const read = await Promise.all(streams.map((stream) => under.log.readStream(stream, 0)));
        expect(events).to.deep.equal(read.flat().sort((a, b) => Number(a.position - b.position)));
      });

      it("begins with any event that it is asked for, whoever's the events before it are", async () => {
        await fill(12);
        const all = eventsOf(await batchesToEnd(under.source));
        for (const event of [all[0], all[5], all.at(-1)] as RecordedEvent[]) {
          const after = await positionBefore(under.source, event.position);
          const events = eventsOf(await batchesToEnd(under.source, { after }));
          expect(events.filter(({ position }) => position >= event.position)).to.deep.equal(
            all.filter(({ position }) => position >= event.position),
          );
        }
        expect(await positionBefore(under.source, beginning)).to.equal(beginning);
      });

      it("goes on from any position, in batches of any size, without a gap or a repeat", async () => {
        await fill(40);
        const all = eventsOf(await batchesToEnd(under.source));
        const places = [beginning, ...positionsOf(all)];
        await fc.assert(
          fc.asyncProperty(fc.nat(places.length - 1), fc.integer({ min: 1, max: 50 }), async (place, maxBatchSize) => {
            const batches = await batchesToEnd(under.source, { after: places[place] ?? beginning, maxBatchSize });
            expect(eventsOf(batches)).to.deep.equal(all.slice(place));
            expect(Math.max(...batches.map(({ events }) => events.length))).to.be.at.most(maxBatchSize);
          }),
          propertyRuns(60),
        );
      });

      it("names with each batch the position to go on from", async () => {
        await fill(20);
        const categories = ["user", "datasource"] as const;
        const batches = await batchesToEnd(under.source, { categories, maxBatchSize: 3 });
        const all = eventsOf(batches);
        expect(isRising(positionsOf(batches))).to.equal(true);
        for (const [index, { position }] of batches.entries()) {
          const rest = eventsOf(await batchesToEnd(under.source, { after: position, categories }));
          expect(rest).to.deep.equal(all.slice(eventsOf(batches.slice(0, index + 1)).length));
        }
      });

      it("delivers the categories asked for alone", async () => {
        await fill(30);
        const all = eventsOf(await batchesToEnd(under.source));
        for (const categories of [["user"], ["groupGraph", "datasource"], ["apiKey"], streamCategories] as const) {
          const wanted = all.filter(({ stream }) => (categories as readonly string[]).includes(categoryOf(stream)));
          expect(eventsOf(await batchesToEnd(under.source, { categories, maxBatchSize: 4 }))).to.deep.equal(wanted);
        }
      });

      it("moves on where no event is of the categories asked for", async () => {
        await fill(30);
        const batches = await batchesToEnd(under.source, { categories: ["serviceAccount"] });
        expect(eventsOf(batches)).to.deep.equal([]);
        expect(batches.at(-1)?.position).to.equal(await under.source.head());
      });

      it("says so at once where there is nothing to deliver", async () => {
        // A server's log may hold what is not ours: then an empty one does not end at the beginning.
        const start = await under.source.head();
        const nothing = await batchesToEnd(under.source);
        expect(eventsOf(nothing)).to.deep.equal([]);
        expect(nothing.at(-1)).to.include({ position: start, caughtUp: true });
        const { position } = await rename(under.log, "noStream", "a");
        const [batch, ...others] = await batchesToEnd(under.source, { after: position });
        expect(others).to.deep.equal([]);
        expect(batch).to.deep.include({ events: [], position, caughtUp: true });
      });

      it("knows again what was followed up to an event, and no other log", async () => {
        const { position: first } = await rename(under.log, "noStream", "a");
        const followed = await batchesToEnd(under.source);
        const [event] = eventsOf(followed);
        if (event === undefined) throw new Error("An event is expected.");
        const { position, landmark = event } = followed.at(-1) ?? { position: first };
        const { position: second } = await rename(under.log, 0, "b");
        const holds = (checkpoint: Checkpoint, ...categories: readonly StreamCategory[]): Promise<boolean> =>
          under.source.holds(checkpoint, categories);
        const category = categoryOf(event.stream);
        expect(await holds({ position, landmark }, category)).to.equal(true);
        expect(await holds({ position, landmark: { ...landmark, id: randomUUID() } }, category)).to.equal(false);
        expect(await holds({ position: second, landmark: event }, category), "another event").to.equal(false);
        expect(await holds({ position: second, landmark: event }, "apiKey")).to.equal(true);
        expect(await holds({ position: toPosition(second + 1n), landmark: event }, category), "the end").to.equal(
          false,
        );
        expect(await holds({ position: second, landmark: null }, category), "an older program's").to.equal(true);
      });

      it("delivers what is appended later, while it waits", async () => {
        await rename(under.log, "noStream", "before");
        let appends = 0;
        const batches = await batchesUntil(under.source, (sofar) => {
          const delivered = eventsOf(sofar).length;
          if (sofar.at(-1)?.caughtUp === true && delivered === appends + 1 && appends < 5)
            void rename(under.log, appends, `live ${appends++}`);
          return delivered === 6;
        });
        expect(namesOf(eventsOf(batches))).to.deep.equal(["before", "live 0", "live 1", "live 2", "live 3", "live 4"]);
      });

      it("misses and repeats nothing while many append", async () => {
        const total = 400;
        const delivered = (batches: readonly EventBatch[]): boolean => eventsOf(batches).length >= total;
        const first = batchesUntil(under.source, delivered, { maxBatchSize: 7 });
        const second = batchesUntil(under.source, delivered, { maxBatchSize: 64 });
        await fill(total);
        const [a, b] = await Promise.all([first, second]);
        const all = eventsOf(await batchesToEnd(under.source));
        expect(all).to.have.length(total);
        expect(eventsOf(a)).to.deep.equal(all);
        expect(eventsOf(b)).to.deep.equal(all);
      });

      it("ends when the signal aborts: before it began, while it waits, and between batches", async () => {
        await fill(20);
        const collect = async (
          abort: AbortController,
          onBatch: (batch: EventBatch) => void,
        ): Promise<RecordedEvent[]> => {
          const events: RecordedEvent[] = [];
          const request = { after: beginning, categories: streamCategories, maxBatchSize: 5, signal: abort.signal };
          for await (const batch of under.source.subscribe(request)) {
            events.push(...batch.events);
            onBatch(batch);
          }
          return events;
        };
        const aborted = new AbortController();
        aborted.abort();
        expect(await collect(aborted, () => undefined)).to.deep.equal([]);
        const waiting = new AbortController();
        expect(
          await collect(waiting, ({ caughtUp }) => caughtUp && setTimeout(() => waiting.abort(), 20)),
        ).to.have.length(20);
        const between = new AbortController();
        expect(await collect(between, ({ events }) => events.length > 0 && between.abort())).to.have.length(5);
      });
    });

    it("shows an event to readers of streams no later than to subscribers", async () => {
      let seen = 0;
      const reading = batchesUntil(under.source, (batches) => (batches.at(-1)?.events ?? []).some(() => ++seen === 10));
      for (let index = 0; index < 10; index++) {
        await rename(under.log, index === 0 ? "noStream" : index - 1, `event ${index}`);
        expect(await under.log.readLast(alice)).to.have.property("revision", index);
      }
      expect(namesOf(eventsOf(await reading))).to.deep.equal(namesOf(await under.log.readStream(alice, 0)));
    });
  });
}
