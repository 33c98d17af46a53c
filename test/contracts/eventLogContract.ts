import { randomUUID } from "node:crypto";
import { expect } from "chai";
import * as fc from "fast-check";
import type { AppendRequest, StreamEvent } from "../../commands/ports.js";
import { categoryOf, groupGraphStream } from "../../src/events/streams.js";
import { toGroupId } from "../../src/shared/ids.js";
import { propertyRuns } from "../support/propertyRuns.js";
import {
  alice,
  appended,
  batchesToEnd,
  bob,
  datasourceId,
  eventsOf,
  keyOf,
  namesOf,
  newContent,
  newEvent,
  newEvents,
  rename,
  renamed,
  type EventLogUnderTest,
} from "./eventLogFixtures.js";

const inPlace = ({ event, revision, position }: StreamEvent): StreamEvent => ({ event, revision, position });

/** What every event log promises to the write side. `open` gives a fresh, empty log each time. */
export interface EventLogTraits {
  /** What the log takes at most in one append; null where there is no limit. */
  readonly mostBytes: number | null;
}

export function eventLogContract(open: () => Promise<EventLogUnderTest>, { mostBytes }: EventLogTraits): void {
  describe("as commands see it", () => {
    let under: EventLogUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());

    describe("reading a stream", () => {
      it("gives what was appended, in order, with metadata and revisions from 0", async () => {
        const events = [
          ...newEvents("a", "b"),
          newEvent({ type: "UserRegistered", data: { datasourceId, email: "x" as never, name: null } }),
        ];
        const { revision, position } = await appended(under.log, {
          stream: alice,
          expectedRevision: "noStream",
          events,
        });
        const read = await under.log.readStream(alice, 0);
        const positions = read.map((event) => event.position);
        expect(read).to.deep.equal(
          events.map(({ id, event, metadata }, index) => ({
            id,
            stream: alice,
            revision: index,
            position: positions[index],
            event,
            metadata,
          })),
        );
        expect({ revision, position }).to.deep.equal({ revision: 2, position: positions[2] });
      });

      it("starts at the revision asked for", async () => {
        await rename(under.log, "noStream", "a", "b", "c");
        expect(namesOf(await under.log.readStream(alice, 1))).to.deep.equal(["b", "c"]);
        expect(await under.log.readStream(alice, 3)).to.deep.equal([]);
      });

      it("gives nothing of a stream that does not exist", async () => {
        expect(await under.log.readStream(alice, 0)).to.deep.equal([]);
        expect(await under.log.readLast(alice)).to.equal(null);
      });

      it("gives the newest event alone where that is asked for", async () => {
        await rename(under.log, "noStream", "a", "b");
        expect(await under.log.readLast(alice)).to.deep.equal((await under.log.readStream(alice, 1))[0]);
      });

      it("keeps streams apart", async () => {
        await rename(under.log, "noStream", "a");
        await appended(under.log, { stream: bob, expectedRevision: "noStream", events: newEvents("b") });
        await rename(under.log, 0, "c");
        expect(namesOf(await under.log.readStream(alice, 0))).to.deep.equal(["a", "c"]);
        expect(namesOf(await under.log.readStream(bob, 0))).to.deep.equal(["b"]);
      });

      it("gives a long stream whole", async () => {
        const names = Array.from({ length: 1_500 }, (_, index) => `name ${index}`);
        await rename(under.log, "noStream", ...names);
        expect(namesOf(await under.log.readStream(alice, 0))).to.deep.equal(names);
      });

      it("gives no more events than were asked for", async () => {
        const names = Array.from({ length: 700 }, (_, index) => `name ${index}`);
        await rename(under.log, "noStream", ...names);
        for (const maxCount of [1, 255, 256, 257, 512, 600]) {
          const [read, folded] = [
            await under.log.readStream(alice, 3, maxCount),
            await under.log.readEvents(alice, 3, maxCount),
          ];
          expect(namesOf(read)).to.deep.equal(names.slice(3, 3 + maxCount));
          expect(folded.map(inPlace)).to.deep.equal(read.map(inPlace));
        }
        expect(namesOf(await under.log.readStream(alice, 3, 5_000))).to.deep.equal(names.slice(3));
      });

      it("gives texts back as they were, whatever the characters", async () => {
        let length = 0;
        const names = fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 20 });
        await fc.assert(
          fc.asyncProperty(names, async (some) => {
            await rename(under.log, length === 0 ? "noStream" : length - 1, ...some);
            const read = await under.log.readStream(alice, length);
            length += some.length;
            expect(read.map(({ event }) => event)).to.deep.equal(some.map(renamed));
          }),
          propertyRuns(30),
        );
      });

      it("gives a large event back", async () => {
        const name = "größer ".repeat(70_000);
        await rename(under.log, "noStream", name);
        expect((await under.log.readLast(alice))?.event).to.deep.equal(renamed(name));
      });
    });

    describe("appending", () => {
      it("is refused where the stream is elsewhere, and then writes nothing", async () => {
        await rename(under.log, "noStream", "a", "b");
        const attempt = (expectedRevision: AppendRequest["expectedRevision"]) =>
          under.log.append({ stream: alice, expectedRevision, events: newEvents("x", "y") });
        for (const expected of ["noStream", 0, 2, 7] as const) {
          expect(await attempt(expected)).to.deep.equal({ kind: "conflict", actualRevision: 1 });
        }
        expect(namesOf(await under.log.readStream(alice, 0))).to.deep.equal(["a", "b"]);
      });

      it("is refused where a stream is expected and there is none", async () => {
        const outcome = await under.log.append({ stream: alice, expectedRevision: 0, events: newEvents("x") });
        expect(outcome).to.deep.equal({ kind: "conflict", actualRevision: "noStream" });
        expect(await under.log.readStream(alice, 0)).to.deep.equal([]);
      });

      it("gives later events later positions, over all streams", async () => {
        const positions = [
          (await rename(under.log, "noStream", "a", "b")).position,
          (await appended(under.log, { stream: bob, expectedRevision: "noStream", events: newEvents("c") })).position,
          (await rename(under.log, 1, "d")).position,
        ];
        expect(positions).to.deep.equal([...positions].sort((a, b) => Number(a - b)));
        expect(new Set(positions).size).to.equal(3);
        expect(await under.source.head()).to.equal(positions[2]);
      });

      it("lets exactly one of many racing writers win each revision", async () => {
        const races = 20;
        const racers = 8;
        for (let race = 0; race < races; race++) {
          const expectedRevision = race === 0 ? "noStream" : race - 1;
          const names = Array.from({ length: racers }, (_, racer) => `race ${race}, racer ${racer}`);
          const outcomes = await Promise.all(
            names.map((name) => under.log.append({ stream: alice, expectedRevision, events: newEvents(name) })),
          );
          const winners = names.filter((_, racer) => outcomes[racer]?.kind === "appended");
          expect(winners).to.have.length(1);
          expect(outcomes.filter(({ kind }) => kind === "conflict")).to.deep.equal(
            Array.from({ length: racers - 1 }, () => ({ kind: "conflict", actualRevision: race })),
          );
          expect(namesOf(await under.log.readStream(alice, race))).to.deep.equal(winners);
        }
      });

      it("writes an append whole or not at all, however many are under way", async () => {
        await rename(under.log, "noStream", "first");
        const requests = Array.from({ length: 60 }, (_, index): AppendRequest => ({
          stream: index % 3 === 0 ? alice : groupGraphStream(`g${index}` as typeof datasourceId),
          expectedRevision: index % 3 === 0 ? 0 : "noStream",
          events: [newEvent(renamed(`${index} one`)), newEvent(renamed(`${index} two`))],
        }));
        const outcomes = await Promise.all(requests.map((request) => under.log.append(request)));
        const accepted = requests.filter((_, index) => outcomes[index]?.kind === "appended");
        expect(accepted.filter(({ stream }) => stream === alice)).to.have.length(1);
        expect(accepted).to.have.length(41);
        const written = eventsOf(await batchesToEnd(under.source))
          .slice(1)
          .map(({ id }) => id);
        expect(written.sort()).to.deep.equal(accepted.flatMap(({ events }) => events.map(({ id }) => id)).sort());
      });
    });

    describe("an append of more than a mebibyte", () => {
      const content = newContent("the text", "doc-1");
      const naming = (bytes: number): AppendRequest => ({
        stream: bob,
        expectedRevision: "noStream",
        events: newEvents("x".repeat(bytes)),
        contents: [content],
      });

      it(mostBytes === null ? "is written" : "is refused as too large, and nothing of it is written", async () => {
        const outcome = await under.log.append(naming(3_000_000));
        expect(outcome.kind).to.equal(mostBytes === null ? "appended" : "tooLarge");
        if (outcome.kind === "tooLarge")
          expect(outcome)
            .to.include({ maxBytes: mostBytes })
            .and.to.satisfy(({ bytes }: typeof outcome) => bytes > 3_000_000 && bytes < 3_001_000);
        expect(await under.log.readStream(bob, 0)).to.have.length(mostBytes === null ? 1 : 0);
        expect(await under.contents.read(keyOf(content))).to.equal(mostBytes === null ? content.text : null);
      });

      if (mostBytes === null) return;
      it("is one where it is so by a single byte", async () => {
        const outcome = await under.log.append(naming(3_000_000));
        const most = 3_000_000 - (outcome.kind === "tooLarge" ? outcome.bytes - outcome.maxBytes : 0);
        expect((await under.log.append(naming(most + 1))).kind).to.equal("tooLarge");
        await appended(under.log, naming(most));
        expect(namesOf(await under.log.readStream(bob, 0)).map(({ length }) => length)).to.deep.equal([most]);
      });
    });

    describe("a repeated append", () => {
      const request: AppendRequest = { stream: alice, expectedRevision: 0, events: newEvents("b", "c") };
      const names = async (): Promise<string[]> => namesOf(await under.log.readStream(alice, 0));

      it("is answered as the first time and written once", async () => {
        await rename(under.log, "noStream", "a");
        const first = await appended(under.log, request);
        expect(await under.log.append(request)).to.deep.equal(first);
        expect(await names()).to.deep.equal(["a", "b", "c"]);
      });

      it("is answered so of a new stream too", async () => {
        const created = { stream: bob, expectedRevision: "noStream", events: newEvents("b") } as const;
        expect(await under.log.append(created)).to.deep.equal(await under.log.append(created));
        expect(namesOf(await under.log.readStream(bob, 0))).to.deep.equal(["b"]);
      });

      it("is answered so after more events", async () => {
        await rename(under.log, "noStream", "a");
        const first = await appended(under.log, request);
        await rename(under.log, 2, "d");
        expect(await under.log.append(request)).to.deep.equal(first);
        expect(await names()).to.deep.equal(["a", "b", "c", "d"]);
      });

      it("is answered so after the log was closed and opened", async () => {
        await rename(under.log, "noStream", "a");
        const first = await appended(under.log, request);
        under = await under.reopen();
        expect(await under.log.append(request)).to.deep.equal(first);
        expect(await names()).to.deep.equal(["a", "b", "c"]);
      });

      it("is answered so while the first is under way", async () => {
        await rename(under.log, "noStream", "a");
        const [first, second] = await Promise.all([under.log.append(request), under.log.append(request)]);
        expect(first).to.deep.equal({
          kind: "appended",
          revision: 2,
          position: (await under.log.readLast(alice))?.position,
        });
        expect(second).to.deep.equal(first);
        expect(await names()).to.deep.equal(["a", "b", "c"]);
      });

      it("is a conflict where only some of its events are the same", async () => {
        await rename(under.log, "noStream", "a");
        await appended(under.log, request);
        const [same] = request.events;
        const longer = [...request.events, newEvent()];
        for (const events of [longer, [{ ...newEvent(), id: randomUUID() }, same as (typeof longer)[0]]]) {
          expect(await under.log.append({ ...request, events })).to.deep.equal({ kind: "conflict", actualRevision: 2 });
        }
        expect(await names()).to.deep.equal(["a", "b", "c"]);
      });
    });

    it("remembers everything after it was closed and opened", async () => {
      await rename(under.log, "noStream", "a", "b");
      await appended(under.log, {
        stream: groupGraphStream(datasourceId),
        expectedRevision: "noStream",
        events: [newEvent({ type: "GroupCreated", data: { datasourceId, groupId: toGroupId("g"), name: "staff" } })],
      });
      const before = eventsOf(await batchesToEnd(under.source));
      under = await under.reopen();
      expect(eventsOf(await batchesToEnd(under.source))).to.deep.equal(before);
      expect(before.map(({ stream }) => categoryOf(stream))).to.deep.equal(["user", "user", "groupGraph"]);
      await rename(under.log, 1, "c");
      expect(namesOf(await under.log.readStream(alice, 0))).to.deep.equal(["a", "b", "c"]);
    });
  });
}
