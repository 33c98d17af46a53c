import { expect } from "chai";
import type { BrowseRequest } from "../../src/events/eventSelection.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { groupGraphStream, streamCategories, userStream, type StreamName } from "../../src/events/streams.js";
import { toEmail } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import {
  appended,
  batchesToEnd,
  datasourceId,
  eventsOf,
  newEvents,
  type EventLogUnderTest,
} from "./eventLogFixtures.js";

/** What every event log promises to people who look through it. `open` gives a fresh, empty log each time. */
export function eventLogBrowsingContract(open: () => Promise<EventLogUnderTest>): void {
  describe("as people look through it", () => {
    let under: EventLogUnderTest;
    let all: readonly RecordedEvent[];
    const graph = groupGraphStream(datasourceId);
    const users = [1, 2, 3].map((number) => userStream(datasourceId, toEmail(`${number}@example.org`)));

    before(async () => {
      under = await open();
      for (let round = 0; round < 4; round++)
        for (const stream of [graph, ...users]) {
          const expectedRevision = round === 0 ? "noStream" : (stream === graph ? 2 : 1) * round - 1;
          const names = stream === graph ? [`${round}`, `${round} again`] : [`${round} of ${stream}`];
          await appended(under.log, { stream, expectedRevision, events: newEvents(...names) });
        }
      all = eventsOf(await batchesToEnd(under.source));
    });
    after(() => under.close());

    const everything: BrowseRequest = {
      ...{ order: "forwards", start: null, stream: null, categories: streamCategories },
      ...{ type: null, mentioning: [], maxBatchSize: 3 },
    };
    const browsed = async (request: Partial<BrowseRequest>): Promise<readonly RecordedEvent[]> => {
      const found: RecordedEvent[] = [];
      let last: Position | null = null;
      for await (const { events, position } of under.source.browse({ ...everything, ...request })) {
        const sign = request.order === "backwards" ? -1n : 1n;
        if (last !== null) expect(position * sign > last * sign).to.equal(true);
        last = position;
        for (const event of events) expect(event.position * sign <= position * sign).to.equal(true);
        found.push(...events);
      }
      return found;
    };
    const of = (stream: StreamName): readonly RecordedEvent[] => all.filter((event) => event.stream === stream);

    it("is told whole in both orders", async () => {
      expect(all).to.have.length(20);
      expect(await browsed({})).to.deep.equal(all);
      expect(await browsed({ order: "backwards" })).to.deep.equal(all.toReversed());
    });

    it("is told by category and by stream, in both orders", async () => {
      const categories = ["user"] as const;
      const ofUsers = all.filter(({ stream }) => users.includes(stream));
      expect(await browsed({ categories })).to.deep.equal(ofUsers);
      expect(await browsed({ categories, order: "backwards" })).to.deep.equal(ofUsers.toReversed());
      expect(await browsed({ stream: graph })).to.deep.equal(of(graph));
      expect(await browsed({ stream: graph, order: "backwards" })).to.deep.equal(of(graph).toReversed());
      expect(await browsed({ stream: userStream(datasourceId, toEmail("nobody@example.org")) })).to.deep.equal([]);
    });

    it("goes on from any event, with it or without it", async () => {
      for (const { position } of all)
        for (const inclusive of [true, false]) {
          const start = { position, inclusive };
          const behind = (event: RecordedEvent): boolean =>
            event.position > position || (inclusive && event.position === position);
          const upTo = (event: RecordedEvent): boolean =>
            event.position < position || (inclusive && event.position === position);
          expect(await browsed({ start })).to.deep.equal(all.filter(behind));
          expect(await browsed({ start, order: "backwards" })).to.deep.equal(all.filter(upTo).toReversed());
          expect(await browsed({ start, stream: graph })).to.deep.equal(of(graph).filter(behind));
          expect(await browsed({ start, stream: graph, order: "backwards" })).to.deep.equal(
            of(graph).filter(upTo).toReversed(),
          );
        }
    });

    it("leaves out nothing that holds one of the texts, or is of the type", async () => {
      const { metadata } = all[7] as RecordedEvent;
      const mentioning = ["3 again", metadata.correlationId];
      const wanted = all.filter((event) => JSON.stringify([event.event, event.metadata]).match(mentioning.join("|")));
      expect(wanted).to.have.length(2);
      for (const order of ["forwards", "backwards"] as const)
        expect(await browsed({ mentioning, order, type: "UserRenamed" })).to.include.deep.members([...wanted]);
    });
  });
}
