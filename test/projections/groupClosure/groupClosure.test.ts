import { expect } from "chai";
import * as fc from "fast-check";
import { groupClosure } from "../../../projections/groupClosure/project.js";
import { accessHistories } from "../../support/accessHistories.js";
import type { GroupClosureChange } from "../../../projections/groupClosure/ports.js";
import type { EventSource, ProjectionWriter } from "../../../projections/ports.js";
import { runProjection } from "../../../projections/runProjection.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import { beginning, toPosition, type Position } from "../../../src/shared/position.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { deliver, projectionScenarios } from "../../support/givenProjection.js";
import { NaiveAccess } from "../../support/naiveAccess.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import type { GroupClosureRows } from "../../support/readModelRows.js";
import { tokens } from "../../support/readModelWriters.js";
import { recordEvents } from "../../support/recordEvents.js";
import { readModelEngines, type ReadModelEngine, type ReadModelsUnderTest } from "../../support/readModelEngines.js";

const scenariosOn = (engine: ReadModelEngine) =>
  projectionScenarios(async () => {
    const readModels = await engine.open();
    return {
      projection: groupClosure,
      writer: readModels.writers.groupClosure,
      rows: () => readModels.groupClosureRows(),
      close: () => readModels.close(),
    };
  });

const wiki = eventsOn("wiki");
const { datasourceId } = wiki;
const open = { datasourceId, token: tokens.anonymous(datasourceId), access: "open" };
const nothing: GroupClosureRows = { datasources: [], groups: [], people: [], orphans: 0 };
const group = (index: number, id: string, parents: number[], ancestors: number[], name = id) => ({
  datasourceId,
  index,
  groupId: wiki.groupId(id),
  name,
  token: tokens.group(datasourceId, name),
  parents,
  ancestors,
});
const person = (name: string, groups: number[], registered = true) => ({
  datasourceId,
  email: wiki.email(name),
  registered,
  token: tokens.user(datasourceId, wiki.email(name)),
  groups,
});

describe("groupClosure", () => {
  for (const engine of readModelEngines) engine.describe(() => groupClosureSuite(engine));
});

function groupClosureSuite(engine: ReadModelEngine): void {
  const given = scenariosOn(engine);
  const history = [
    wiki.opened(),
    wiki.created("all"),
    wiki.created("staff"),
    wiki.registered("ann"),
    wiki.created("board"),
    wiki.nests("staff", "all"),
    wiki.nests("board", "staff"),
    wiki.joins("ann", "board"),
    wiki.joins("ann", "all"),
    wiki.personRenamed("ann"),
  ];
  const rows: GroupClosureRows = {
    datasources: [open],
    groups: [group(0, "all", [], []), group(1, "staff", [0], [0]), group(2, "board", [1], [0, 1])],
    people: [person("ann", [0, 2])],
    orphans: 0,
  };

  it("keeps direct and inherited groups of groups, and direct groups of people", () => given(history).then(rows));

  it("is the same after a second delivery", () => given(history).redelivered().then(rows));

  it("forgets what is left, and keeps the rest", () =>
    given([...history, wiki.unnests("staff", "all"), wiki.leaves("ann", "board")]).then({
      ...rows,
      groups: [group(0, "all", [], []), group(1, "staff", [], []), group(2, "board", [1], [1])],
      people: [person("ann", [0])],
    }));

  it("touches one entry for a new name", () =>
    given([...history, wiki.renamed("staff", "employees")]).then({
      ...rows,
      groups: [group(0, "all", [], []), group(1, "staff", [0], [0], "employees"), group(2, "board", [1], [0, 1])],
    }));

  it("drops a deleted datasource with its groups and people, also when it is delivered again", () =>
    given([...history, wiki.deleted()])
      .redelivered()
      .then(nothing));

  it("passes over what comes late for a deleted datasource", () =>
    given([...history, wiki.deleted(), wiki.registered("bob"), wiki.created("late"), wiki.joins("ann", "all")]).then(
      nothing,
    ));

  it("keeps a name's incarnations apart", () => {
    const again = eventsOn("wiki", 2);
    return given([...history, wiki.deleted(), again.opened(), again.registered("ann")]).then({
      datasources: [{ datasourceId: again.datasourceId, token: tokens.anonymous(again.datasourceId), access: "open" }],
      groups: [],
      orphans: 0,
      people: [
        {
          ...person("ann", []),
          datasourceId: again.datasourceId,
          token: tokens.user(again.datasourceId, again.email("ann")),
        },
      ],
    });
  });

  for (const [what, event] of [
    ["a group", wiki.created("all")],
    ["a person", wiki.registered("ann")],
    ["a datasource", wiki.opened()],
  ] as const) {
    it(`suspends the datasource where an event of ${what} cannot be applied`, () =>
      given([event])
        .parked()
        .then({ ...nothing, datasources: [{ ...open, access: "suspended" }] }));
  }

  it("follows a suspended datasource no further than its deletion", async () => {
    const readModels = await engine.open();
    const under = { projection: groupClosure, writer: readModels.writers.groupClosure };
    await deliver(under, recordEvents(history.slice(0, 2)));
    await deliver(under, recordEvents([wiki.nests("unknown", "all")], 100), { isParked: true });
    await deliver(under, recordEvents([wiki.created("later"), wiki.registered("bob"), wiki.opened()], 200));
    expect(await readModels.groupClosureRows()).to.deep.equal({
      ...nothing,
      datasources: [{ ...open, access: "suspended" }],
      groups: [group(0, "all", [], [])],
    });
    await deliver(under, recordEvents([wiki.deleted()], 300));
    expect(await readModels.groupClosureRows()).to.deep.equal(nothing);
    await readModels.close();
  });

  for (const [what, event] of [
    ["a group that was never created", wiki.nests("unknown", "all")],
    ["a person in a group that was never created", wiki.joins("ann", "unknown")],
    ["a cycle", wiki.nests("all", "board")],
  ] as const) {
    it(`writes nothing of a batch with ${what}, and goes on from where it was`, async () => {
      const readModels = await engine.open();
      const under = { projection: groupClosure, writer: readModels.writers.groupClosure };
      await deliver(under, recordEvents(history));
      const error = await deliver(under, recordEvents([wiki.created("more"), event], 100)).catch(
        (caught: unknown) => caught,
      );
      expect(error).to.be.instanceOf(Error);
      expect(await readModels.groupClosureRows()).to.deep.equal(rows);
      await deliver(under, recordEvents([wiki.created("more")], 100));
      expect(await readModels.groupClosureRows()).to.deep.equal({
        ...rows,
        groups: [...rows.groups, group(3, "more", [], [])],
      });
      await readModels.close();
    });
  }

  it("writes nothing where another process was faster, and goes on from what that one wrote", async () => {
    const readModels = await engine.open();
    const mine = { projection: groupClosure, writer: readModels.writers.groupClosure };
    const after = await deliver(mine, recordEvents(history));
    const others = await readModels.openOtherWriters();
    await deliver(
      { projection: groupClosure, writer: others.writers.groupClosure },
      recordEvents([wiki.created("more")], 100),
    );
    others.close();
    const changes = recordEvents([wiki.created("less")], 100).flatMap((event) => groupClosure.project(event));
    expect(await mine.writer.apply({ after, position: toPosition(200), changes, parked: [] })).to.equal(
      "checkpointConflict",
    );
    expect((await readModels.groupClosureRows()).groups).to.deep.equal([...rows.groups, group(3, "more", [], [])]);
    await deliver(mine, recordEvents([wiki.created("last"), wiki.nests("last", "more")], 200));
    expect((await readModels.groupClosureRows()).groups).to.deep.equal([
      ...rows.groups,
      group(3, "more", [], []),
      group(4, "last", [3], [3]),
    ]);
    await readModels.close();
  });

  it("comes to the same rows in batches of any size, held back or not, over restarts, delivered twice or once", async () => {
    const step = fc.record({
      size: fc.integer({ min: 1, max: 90 }),
      moreToCome: fc.boolean(),
      isRestart: fc.boolean(),
      isTwice: fc.boolean(),
    });
    const limits = fc.record({ changes: fc.integer({ min: 1, max: 200 }), people: fc.integer({ min: 1, max: 5 }) });
    const property = fc.asyncProperty(
      accessHistories,
      fc.array(step, { minLength: 1, maxLength: 8 }),
      limits,
      async (events, steps, limited) => {
        const recorded = recordEvents(events);
        const whole = await engine.open();
        const parts = await engine.open({ limits: limited });
        try {
          await deliver({ projection: groupClosure, writer: whole.writers.groupClosure }, recorded);
          await deliverInSteps(parts, recorded, steps);
          expect(await parts.groupClosureRows()).to.deep.equal(await whole.groupClosureRows());
          expectAncestorsOf(await whole.groupClosureRows(), events);
        } finally {
          await whole.close();
          await parts.close();
        }
      },
    );
    await fc.assert(property, propertyRuns(25));
  });

  it("finds the one event at fault in a catch-up that was held back, and parks that alone", async () => {
    const files = eventsOn("files");
    const fine = [files.opened(), files.created("all"), files.registered("ann")];
    const recorded = recordEvents([
      ...history,
      ...fine,
      wiki.nests("all", "board"),
      wiki.created("after"),
      files.joins("ann", "all"),
    ]);
    const readModels = await engine.open();
    const parked = await projectToEnd(readModels.writers.groupClosure, recorded, 2);
    const after = await readModels.groupClosureRows();
    expect(parked).to.deep.equal([{ scope: `datasource ${datasourceId}`, position: recorded[13]?.position }]);
    expect(after.datasources.map(({ datasourceId: id, access }) => [id, access])).to.deep.equal([
      [files.datasourceId, "open"],
      [datasourceId, "suspended"],
    ]);
    expect(after.people.map(({ email, groups }) => [email, groups])).to.deep.equal([
      [files.email("ann"), [0]],
      [wiki.email("ann"), [0, 2]],
    ]);
    await readModels.close();
  });
}

interface Step {
  readonly size: number;
  readonly moreToCome: boolean;
  readonly isRestart: boolean;
  readonly isTwice: boolean;
}

/** After a restart goes on from the stored checkpoint: what was held back comes again. */
async function deliverInSteps(
  readModels: ReadModelsUnderTest,
  events: readonly RecordedEvent[],
  steps: readonly Step[],
): Promise<void> {
  const last = events.at(-1)?.position ?? beginning;
  let after = beginning;
  for (let turn = 0; after < last; turn++) {
    const { size, moreToCome, isRestart, isTwice } = steps[turn % steps.length] as Step;
    if (isRestart && turn < 3 * steps.length) {
      await readModels.restartWriters();
      after = await readModels.writers.groupClosure.checkpoint();
    }
    const stretch = events.filter(({ position }) => position > after).slice(0, size);
    const position = stretch.at(-1)?.position ?? last;
    const changes = stretch.flatMap((event) => groupClosure.project(event));
    const { groupClosure: writer } = readModels.writers;
    expect(
      await writer.apply({ after, position, changes, parked: [], moreToCome: moreToCome && position < last }),
    ).to.equal("applied");
    if (isTwice) await writer.apply({ after: position, position, changes, parked: [] });
    after = position;
  }
}

/**
 * Runs the projection over these events, as a source would deliver them that is `batchSize` events at a time behind.
 */
async function projectToEnd(
  writer: ProjectionWriter<GroupClosureChange>,
  events: readonly RecordedEvent[],
  batchSize: number,
) {
  const stopping = new AbortController();
  const parked: { readonly scope: string; readonly position: Position }[] = [];
  const source: EventSource = {
    head: async () => events.at(-1)?.position ?? beginning,
    holds: () => Promise.resolve(true),
    async *subscribe({ after }) {
      const rest = events.filter(({ position }) => position > after);
      for (let from = 0; from < rest.length; from += batchSize) {
        const batch = rest.slice(from, from + batchSize);
        yield { events: batch, position: batch.at(-1)?.position ?? after, caughtUp: from + batchSize >= rest.length };
      }
      stopping.abort();
    },
  };
  await runProjection({
    projection: groupClosure,
    writer,
    source,
    signal: stopping.signal,
    maxBatchSize: batchSize,
    retryDelayMs: 1,
    onParked: ({ scope, position }) => void parked.push({ scope, position }),
    onFailure: (error) => {
      throw error;
    },
  });
  return parked;
}

function expectAncestorsOf(rows: GroupClosureRows, events: Parameters<typeof recordEvents>[0]): void {
  const naive = new NaiveAccess();
  for (const event of events) naive.follow(event);
  const nameOf = new Map(rows.groups.map((row) => [`${row.datasourceId} ${row.index}`, row.name]));
  for (const { datasourceId: id, groupId, ancestors } of rows.groups) {
    const names = ancestors.map((index) => nameOf.get(`${id} ${index}`) ?? "").sort();
    expect(names).to.deep.equal(
      naive.ancestorsOf(id as typeof datasourceId, groupId as ReturnType<typeof wiki.groupId>),
    );
  }
}
