import { expect } from "chai";
import { catalogue } from "../../projections/catalogue/readModel.js";
import { contentErasure } from "../../projections/contentErasure/readModel.js";
import { groupClosure } from "../../projections/groupClosure/project.js";
import type { ParkedEvent, Projection } from "../../projections/ports.js";
import { runProjection } from "../../projections/runProjection.js";
import { searchProjection } from "../../projections/search/project.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { datasourceStream } from "../../src/events/streams.js";
import type { Upcasters } from "../../src/events/upcasters.js";
import { toDatasourceName } from "../../src/shared/ids.js";
import { beginning, type Position } from "../../src/shared/position.js";
import { eventsOn } from "../support/accessLanguage.js";
import { appended, newEvent, type EventLogUnderTest } from "./eventLogFixtures.js";

/** One log, as a program sees it and as a newer one does, which writes events in shapes of its own. */
export interface TwoPrograms {
  readonly program: EventLogUnderTest;
  readonly newer: EventLogUnderTest;
}

const same = (data: object): object => data;
const newerShapes: Upcasters = { DatasourceUpdated: [same, same] };
const [wiki, files] = [eventsOn("wiki"), eventsOn("files")];
const renamed = (data: object = {}): DomainEvent => ({ type: "DatasourceUpdated", data: data as never });

/** What is left of a projection's run. */
interface Checkpointed {
  readonly changes: readonly { readonly kind: string }[];
  readonly parked: readonly ParkedEvent[];
}

/** What every event log does with events that this program cannot read: projections park them and go on. */
export function unreadableEventsContract(open: (newerShapes: Upcasters) => Promise<TwoPrograms>): void {
  describe("as projections see what cannot be read", () => {
    let log: TwoPrograms;
    beforeEach(async () => {
      log = await open(newerShapes);
    });
    afterEach(async () => {
      await log.newer.close();
      await log.program.close();
    });

    async function record(name: string, ...events: readonly DomainEvent[]): Promise<Position> {
      const stream = datasourceStream(toDatasourceName(name));
      const expectedRevision = (await log.newer.log.readLast(stream))?.revision ?? "noStream";
      const { position } = await appended(log.newer.log, { stream, expectedRevision, events: events.map(newEvent) });
      return position;
    }

    async function project(projection: Projection<unknown>, end: Position): Promise<Checkpointed> {
      const stop = new AbortController();
      const changes: { readonly kind: string }[] = [];
      const parked: ParkedEvent[] = [];
      let checkpoint: Position = beginning;
      const writer = {
        checkpoint: async () => checkpoint,
        apply: async (batch: {
          readonly position: Position;
          readonly changes: readonly unknown[];
          readonly parked: readonly ParkedEvent[];
        }) => {
          checkpoint = batch.position;
          changes.push(...(batch.changes as readonly { readonly kind: string }[]));
          parked.push(...batch.parked);
          if (checkpoint >= end) stop.abort();
          return "applied" as const;
        },
      };
      const onFailure = (error: unknown): void => {
        throw error;
      };
      await runProjection({
        projection,
        writer,
        source: log.program.source,
        signal: stop.signal,
        maxBatchSize: 100,
        retryDelayMs: 1,
        onParked: () => undefined,
        onFailure,
      });
      return { changes, parked };
    }

    const expectations: readonly [Projection<unknown>, scope: string, fails: readonly object[]][] = [
      [catalogue as never, "datasource-wiki", [{ kind: "withdrawn", datasourceId: wiki.datasourceId }]],
      [
        groupClosure as never,
        `datasource ${wiki.datasourceId}`,
        [{ kind: "datasourceSuspended", datasourceId: wiki.datasourceId }],
      ],
      [
        searchProjection as never,
        `datasource ${wiki.datasourceId}`,
        [{ kind: "datasourceSuspended", datasourceId: wiki.datasourceId }],
      ],
      [contentErasure as never, "datasource-wiki", []],
    ];
    for (const [projection, scope, fails] of expectations) {
      it(`fails closed for the datasource, though the event does not say of which incarnation it is: ${projection.name}`, async () => {
        await record("wiki", wiki.opened());
        const position = await record("wiki", renamed());
        const { changes, parked } = await project(projection, await record("files", files.opened()));
        expect(parked.map((event) => ({ ...event, error: "" }))).to.deep.equal([
          { position, stream: "datasource-wiki", eventType: "DatasourceUpdated", scope, error: "" },
        ]);
        expect(parked[0]?.error).to.contain("written in version 3").and.to.contain(`position ${position} `);
        const kinds = new Set(fails.map((change) => (change as { readonly kind: string }).kind));
        const closing = changes.filter(({ kind }) => kinds.has(kind));
        expect(closing.map((change) => ({ ...change, position: undefined }))).to.deep.equal(
          fails.map((change) => ({ ...change, position: undefined })),
        );
      });

      it(`goes on where nothing of the datasource could be read so far: ${projection.name}`, async () => {
        const positions = [await record("wiki", renamed()), await record("wiki", renamed())];
        const { changes, parked } = await project(projection, await record("files", files.opened()));
        expect(parked.map((event) => ({ scope: event.scope, position: event.position }))).to.deep.equal(
          positions.map((position) => ({ scope: "datasource-wiki", position })),
        );
        expect(changes).to.have.length(projection.name === "contentErasure" ? 0 : 1);
      });
    }

    it("closes the incarnation that the event itself names", async () => {
      const second = eventsOn("wiki", 2);
      await record("wiki", wiki.opened(), wiki.deleted(), second.opened());
      const { changes } = await project(
        catalogue as never,
        await record("wiki", renamed({ datasourceId: wiki.datasourceId })),
      );
      expect(changes.at(-1)).to.deep.equal({ kind: "withdrawn", datasourceId: wiki.datasourceId });
    });
  });
}
