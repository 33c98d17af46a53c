import { expect } from "chai";
import * as fc from "fast-check";
import { groupClosure } from "../../../projections/groupClosure/project.js";
import { accessHistories } from "../../support/accessHistories.js";
import { openSqliteReadModelWriters } from "../../../src/composition/openSqliteReadModelWriters.js";
import { toPosition } from "../../../src/shared/position.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { deliver, projectionScenarios } from "../../support/givenProjection.js";
import { NaiveAccess } from "../../support/naiveAccess.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { groupClosureRows, type GroupClosureRows } from "../../support/readModelRows.js";
import { recordEvents } from "../../support/recordEvents.js";
import { openTemporaryReadModels, RecordingEraser, tokens } from "../../support/temporaryReadModels.js";

const given = projectionScenarios(() => {
  const readModels = openTemporaryReadModels();
  return {
    projection: groupClosure,
    writer: readModels.writers.groupClosure,
    rows: () => groupClosureRows(readModels.file),
    close: () => readModels.close(),
  };
});

const wiki = eventsOn("wiki");
const { datasourceId } = wiki;
const open = { datasourceId, token: tokens.anonymous(datasourceId), access: "open" };
const nothing: GroupClosureRows = { datasources: [], groups: [], people: [] };
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
    given([...history, wiki.deleted()]).redelivered().then(nothing));

  it("passes over what comes late for a deleted datasource", () =>
    given([...history, wiki.deleted(), wiki.registered("bob"), wiki.created("late"), wiki.joins("ann", "all")]).then(nothing));

  it("keeps a name's generations apart", () => {
    const again = eventsOn("wiki", 2);
    return given([...history, wiki.deleted(), again.opened(), again.registered("ann")]).then({
      datasources: [{ datasourceId: again.datasourceId, token: tokens.anonymous(again.datasourceId), access: "open" }],
      groups: [],
      people: [{ ...person("ann", []), datasourceId: again.datasourceId, token: tokens.user(again.datasourceId, again.email("ann")) }],
    });
  });

  for (const [what, event] of [
    ["a group", wiki.created("all")],
    ["a person", wiki.registered("ann")],
    ["a datasource", wiki.opened()],
  ] as const) {
    it(`suspends the datasource where an event of ${what} cannot be applied`, () =>
      given([event]).parked().then({ ...nothing, datasources: [{ ...open, access: "suspended" }] }));
  }

  it("follows a suspended datasource no further than its deletion", async () => {
    const readModels = openTemporaryReadModels();
    const under = { projection: groupClosure, writer: readModels.writers.groupClosure };
    await deliver(under, recordEvents(history.slice(0, 2)));
    await deliver(under, recordEvents([wiki.nests("unknown", "all")], 100), { isParked: true });
    await deliver(under, recordEvents([wiki.created("later"), wiki.registered("bob"), wiki.opened()], 200));
    expect(groupClosureRows(readModels.file)).to.deep.equal({ ...nothing, datasources: [{ ...open, access: "suspended" }], groups: [group(0, "all", [], [])] });
    await deliver(under, recordEvents([wiki.deleted()], 300));
    expect(groupClosureRows(readModels.file)).to.deep.equal(nothing);
    readModels.close();
  });

  for (const [what, event] of [
    ["a group that was never created", wiki.nests("unknown", "all")],
    ["a person in a group that was never created", wiki.joins("ann", "unknown")],
    ["a cycle", wiki.nests("all", "board")],
  ] as const) {
    it(`writes nothing of a batch with ${what}, and goes on from where it was`, async () => {
      const readModels = openTemporaryReadModels();
      const under = { projection: groupClosure, writer: readModels.writers.groupClosure };
      await deliver(under, recordEvents(history));
      const error = await deliver(under, recordEvents([wiki.created("more"), event], 100)).catch((caught: unknown) => caught);
      expect(error).to.be.instanceOf(Error);
      expect(groupClosureRows(readModels.file)).to.deep.equal(rows);
      await deliver(under, recordEvents([wiki.created("more")], 100));
      expect(groupClosureRows(readModels.file)).to.deep.equal({ ...rows, groups: [...rows.groups, group(3, "more", [], [])] });
      readModels.close();
    });
  }

  it("leaves the file alone where another process was faster, and goes on from what that one wrote", async () => {
    const readModels = openTemporaryReadModels();
    const mine = { projection: groupClosure, writer: readModels.writers.groupClosure };
    const after = await deliver(mine, recordEvents(history));
    const others = openSqliteReadModelWriters({ file: readModels.file, tokens, eraser: new RecordingEraser() });
    await deliver({ projection: groupClosure, writer: others.groupClosure }, recordEvents([wiki.created("more")], 100));
    others.close();
    const changes = recordEvents([wiki.created("less")], 100).flatMap((event) => groupClosure.project(event));
    expect(await mine.writer.apply({ after, position: toPosition(200), changes, parked: [] })).to.equal("outrun");
    expect(groupClosureRows(readModels.file).groups).to.deep.equal([...rows.groups, group(3, "more", [], [])]);
    await deliver(mine, recordEvents([wiki.created("last"), wiki.nests("last", "more")], 200));
    expect(groupClosureRows(readModels.file).groups).to.deep.equal([...rows.groups, group(3, "more", [], []), group(4, "last", [3], [3])]);
    readModels.close();
  });

  it("comes to the same rows in batches of any size, over restarts, delivered twice or once", async () => {
    const property = fc.asyncProperty(accessHistories, fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }), fc.nat(8), async (events, sizes, restartAt) => {
      const recorded = recordEvents(events);
      const [whole, parts] = [openTemporaryReadModels(), openTemporaryReadModels()];
      try {
        await deliver({ projection: groupClosure, writer: whole.writers.groupClosure }, recorded);
        for (let from = 0, batch = 0; from < recorded.length; batch++) {
          const size = sizes[batch % sizes.length] as number;
          if (batch === restartAt) parts.restartWriters();
          const stretch = recorded.slice(from, from + size);
          await deliver({ projection: groupClosure, writer: parts.writers.groupClosure }, stretch);
          if (batch % 3 === 2) await deliver({ projection: groupClosure, writer: parts.writers.groupClosure }, stretch);
          from += size;
        }
        expect(groupClosureRows(parts.file)).to.deep.equal(groupClosureRows(whole.file));
        expectAncestorsOf(groupClosureRows(whole.file), events);
      } finally {
        whole.close();
        parts.close();
      }
    });
    await fc.assert(property, propertyRuns(40));
  });
});

function expectAncestorsOf(rows: GroupClosureRows, events: Parameters<typeof recordEvents>[0]): void {
  const naive = new NaiveAccess();
  for (const event of events) naive.follow(event);
  const nameOf = new Map(rows.groups.map((row) => [`${row.datasourceId} ${row.index}`, row.name]));
  for (const { datasourceId: id, groupId, ancestors } of rows.groups) {
    const names = ancestors.map((index) => nameOf.get(`${id} ${index}`) ?? "").sort();
    expect(names).to.deep.equal(naive.ancestorsOf(id as typeof datasourceId, groupId as ReturnType<typeof wiki.groupId>));
  }
}
