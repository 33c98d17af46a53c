import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import { beginning, type Position } from "../../src/shared/position.js";
import type { Projection, ProjectionWriter } from "../../projections/ports.js";
import { recordEvents } from "./recordEvents.js";

/** A projection with a fresh, empty store, and a look at the rows that came of it. */
export interface ProjectionUnderTest<Change, Rows> {
  readonly projection: Projection<Change>;
  readonly writer: ProjectionWriter<Change>;
  rows(): Rows | Promise<Rows>;
  close(): void | Promise<void>;
}

export interface GivenProjection<Rows> {
  /** Delivers the same events once more, as if the answer to the first delivery had been lost. */
  redelivered(): GivenProjection<Rows>;
  /** Every event's change is replaced by what fails closed: as if none of them could be applied. */
  parked(): GivenProjection<Rows>;
  /** The rows, and nothing else, are what these events leave. */
  then(rows: Rows): Promise<void>;
}

/** `given(events).then(rows)` for one projection. */
export function projectionScenarios<Change, Rows>(
  open: () => ProjectionUnderTest<Change, Rows> | Promise<ProjectionUnderTest<Change, Rows>>,
): (events: readonly DomainEvent[]) => GivenProjection<Rows> {
  const scenario = (deliveries: readonly (readonly RecordedEvent[])[], isParked: boolean): GivenProjection<Rows> => ({
    redelivered: () => scenario([...deliveries, ...deliveries], isParked),
    parked: () => scenario(deliveries, true),
    // oxlint-disable-next-line unicorn/no-thenable -- reads as the sentence that it is: given, then
    async then(rows) {
      const under = await open();
      try {
        for (const events of deliveries) await deliver(under, events, { isParked });
        expect(await under.rows()).to.deep.equal(rows);
      } finally {
        await under.close();
      }
    },
  });
  return (events) => scenario([recordEvents(events)], false);
}

/**
 * Applies events in one batch, after whatever was applied before; answers with the new checkpoint, in the next turn of
 * the event loop: from then on readers serve it, also those that have just looked.
 */
export async function deliver<Change>(
  { projection, writer }: Pick<ProjectionUnderTest<Change, unknown>, "projection" | "writer">,
  events: readonly RecordedEvent[],
  { isParked = false }: { readonly isParked?: boolean } = {},
): Promise<Position> {
  const after = await writer.checkpoint();
  const newest = events.at(-1)?.position ?? beginning;
  const position = newest > after ? newest : after;
  const changes = events.flatMap((event) =>
    isParked ? projection.failClosed(event).changes : projection.project(event),
  );
  expect(await writer.apply({ after, position, changes, parked: [] })).to.equal("applied");
  await nextTurn();
  return position;
}
