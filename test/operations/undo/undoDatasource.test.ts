import { expect } from "chai";
import * as fc from "fast-check";
import type { CommandContext, Commands } from "../../../commands/commands.js";
import { evolve } from "../../../commands/datasource/decider.js";
import type { Datasource, DatasourceEvent, ObjectDefinition } from "../../../src/events/datasource.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import { toDatasourceName, toEmail } from "../../../src/shared/ids.js";
import { toPosition, type Position } from "../../../src/shared/position.js";
import { operator, wiki } from "../../support/examples.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import {
  accepted,
  openTemporaryCommands,
  withPrincipals,
  type CommandsUnderTest,
} from "../../commands/temporaryCommands.js";
import { bySync, document, sync, undoOn } from "./undoing.js";

const [ada, bob] = ["ada@example.org", "bob@example.org"].map(toEmail) as [
  ReturnType<typeof toEmail>,
  ReturnType<typeof toEmail>,
];
const news = toDatasourceName("news");
const staffOnly = { anonymous: false, users: [], groups: ["staff"] };
const definition = (isSearchable: boolean): readonly ObjectDefinition[] => [
  { name: "page", propertyDefinitions: [{ name: "team", displayLabel: "Team", isSearchable, propertyType: "TEXT" }] },
];
const sub = (name: string, key: string, parentKey: string | null = null) => ({ name, key, parentKey, subs: [] });
const registration = (name: typeof news) => ({
  name,
  displayName: "News",
  icon: null,
  subs: [sub("Sports", "sports")],
  objectDefinitions: [],
});

/** What a name stands for, but for the id of its incarnation. */
function datasourceAfter(recorded: readonly RecordedEvent[], name: string): Omit<Datasource, "datasourceId"> | null {
  const live = recorded
    .filter(({ stream }) => stream === `datasource-${name}`)
    .reduce<Datasource | null>((state, { event }) => evolve(state, event as DatasourceEvent), null);
  if (live === null) return null;
  const { datasourceId: _id, ...rest } = live;
  return rest;
}

describe("undo of a datasource", () => {
  let under: CommandsUnderTest;
  let commands: Commands;
  let erased: Set<string>;
  beforeEach(async () => {
    under = await openTemporaryCommands();
    commands = under.commands;
    erased = new Set();
    await withPrincipals(commands, { users: [ada, bob], groups: ["staff", "crew"] });
    await accepted(
      commands.addMembership({ datasource: wiki, group: "staff", member: { kind: "user", email: ada } }, operator),
    );
    await accepted(commands.addSub({ datasource: wiki, sub: sub("People", "people") }, operator));
    await accepted(commands.addSub({ datasource: wiki, sub: sub("Leave", "leave", "people") }, operator));
  });
  afterEach(() => under.close());

  const head = async (): Promise<Position> => (await under.recorded()).at(-1)?.position ?? toPosition(0);
  const since = async (from: Position) => ({ from: toPosition(from + 1n), to: await head(), by: sync });
  const carriedOut = async (from: Position) =>
    undoOn(under, erased).carryOut(await since(from), { ...operator, correlationId: "undo-1" });
  const said = ({ steps }: Awaited<ReturnType<typeof carriedOut>>) => steps.map(({ undo, outcome }) => [undo, outcome]);

  it("puts back what it was called and made of, field by field", async () => {
    await accepted(
      commands.updateDatasource(
        { name: wiki, displayName: "The wiki", objectDefinitions: definition(false) },
        operator,
      ),
    );
    const [from, before] = [await head(), datasourceAfter(await under.recorded(), wiki)];
    await accepted(
      commands.updateDatasource({ name: wiki, displayName: "A", objectDefinitions: definition(true) }, bySync),
    );
    await accepted(commands.updateDatasource({ name: wiki, displayName: "B", icon: "aWNvbg==" }, bySync));
    expect(said(await carriedOut(from))).to.deep.equal([
      ["put the display name of wiki back to The wiki", "done"],
      ["put the icon of wiki back", "done"],
      ["put the object definitions of wiki back", "done"],
    ]);
    expect(datasourceAfter(await under.recorded(), wiki)).to.deep.equal(before);
  });

  it("leaves a field alone that somebody has changed since, and puts back the others", async () => {
    const from = await head();
    await accepted(
      commands.updateDatasource({ name: wiki, displayName: "A", objectDefinitions: definition(true) }, bySync),
    );
    const range = await since(from);
    await accepted(commands.updateDatasource({ name: wiki, displayName: "Ours" }, operator));
    const answer = await undoOn(under, erased).carryOut(range, operator);
    expect(said(answer)).to.deep.equal([["put the object definitions of wiki back", "done"]]);
    expect(answer.changed_since.map(({ event }) => event)).to.deep.equal(["DatasourceUpdated"]);
    expect(datasourceAfter(await under.recorded(), wiki)).to.deep.include({
      displayName: "Ours",
      objectDefinitions: [],
    });
  });

  it("declares subs again, those too that went with their parent, and says what stays outside; and removes those that were added", async () => {
    const [from, before] = [await head(), datasourceAfter(await under.recorded(), wiki)];
    await accepted(
      commands.addSub({ datasource: wiki, sub: { ...sub("New", "new"), subs: [sub("Newer", "newer")] } }, bySync),
    );
    await accepted(commands.removeSub({ datasource: wiki, key: "people", parentKey: null }, bySync));
    const answer = await carriedOut(from);
    expect(said(answer)).to.deep.equal([
      ["declare the sub people of wiki again", "done"],
      ["declare the sub people/leave of wiki again", "done"],
      ["remove the sub new/newer of wiki", "done"],
      ["remove the sub new of wiki", "done"],
    ]);
    expect(answer.not_restorable.map(({ reason }) => reason)).to.include(
      "Documents that were in the sub people of wiki stay outside of it until they are pushed again.",
    );
    expect(datasourceAfter(await under.recorded(), wiki)).to.deep.equal(before);
  });

  it("keeps a sub that somebody else has put a document into", async () => {
    const from = await head();
    await accepted(commands.addSub({ datasource: wiki, sub: sub("New", "new") }, bySync));
    const range = await since(from);
    await accepted(commands.indexDocument({ ...document("plan", staffOnly), sub: "new" }, operator));
    const { steps, not_restorable: kept } = await undoOn(under, erased).preview(range);
    expect(steps).to.deep.equal([]);
    expect(kept.map(({ reason }) => reason)).to.deep.equal([
      `operator has written to it too: DocumentIndexed at position ${await head()}. So the sub new of wiki stays.`,
    ]);
  });

  it("deletes a datasource that was registered, with all that was pushed into it, as one step", async () => {
    const from = await head();
    await accepted(commands.registerDatasource(registration(news), bySync));
    await accepted(commands.registerUser({ datasource: news, email: ada, name: null }, bySync));
    await accepted(commands.createGroup({ datasource: news, name: "readers" }, bySync));
    await accepted(commands.indexDocument({ ...document("today", staffOnly), datasource: news }, bySync));
    const answer = await carriedOut(from);
    expect(said(answer)).to.deep.equal([["delete the datasource news, with everything in it", "done"]]);
    expect(answer.steps[0]?.loses).to.deep.equal(["whoever sees its 1 document"]);
    expect(answer.not_restorable).to.deep.equal([]);
    expect(datasourceAfter(await under.recorded(), news)).to.equal(null);
  });

  it("keeps a datasource that somebody else has pushed into, and takes back the rest one by one", async () => {
    const from = await head();
    await accepted(commands.registerDatasource(registration(news), bySync));
    await accepted(commands.indexDocument({ ...document("today", staffOnly), datasource: news }, bySync));
    const range = await since(from);
    await accepted(commands.registerUser({ datasource: news, email: bob, name: null }, operator));
    const answer = await undoOn(under, erased).carryOut(range, operator);
    expect(said(answer)).to.deep.equal([["delete news/today", "done"]]);
    expect(
      answer.not_restorable.map(({ event, reason }) => [event, reason.slice(0, reason.indexOf(":"))]),
    ).to.deep.equal([["DatasourceRegistered", "operator has written to it too"]]);
  });

  it("does not delete a datasource that somebody pushes into between the plan and the deletion", async () => {
    const from = await head();
    await accepted(commands.registerDatasource(registration(news), bySync));
    const range = await since(from);
    const racing: Commands = {
      ...commands,
      deleteDatasource: () => Promise.reject(new Error("Nobody may delete it.")),
    };
    const undo = undoOn({ ...under, commands: racing }, erased, () =>
      accepted(commands.registerUser({ datasource: news, email: bob, name: null }, operator)),
    );
    const { steps } = await undo.carryOut(range, { ...operator, correlationId: "undo-2" });
    expect(steps.map(({ outcome, reason }) => [outcome, reason])).to.deep.equal([
      ["refused", "It has been changed meanwhile."],
    ]);
  });

  it("says that a datasource that was deleted stays deleted, and nothing of what was in it", async () => {
    await accepted(commands.indexDocument(document("plan", staffOnly), operator));
    const from = await head();
    await accepted(
      commands.removeMembership({ datasource: wiki, group: "staff", member: { kind: "user", email: ada } }, bySync),
    );
    await accepted(commands.deleteDatasource({ name: wiki }, bySync));
    await accepted(commands.registerDatasource({ ...registration(news), name: wiki }, bySync));
    const answer = await carriedOut(from);
    expect(said(answer)).to.deep.equal([["delete the datasource wiki, with everything in it", "done"]]);
    expect(answer.not_restorable.map(({ event, reason }) => [event, reason])).to.deep.equal([
      [
        "DatasourceDeleted",
        "The deletion of the datasource wiki is irreversible: register it, and push everything again from its source.",
      ],
    ]);
    expect(
      (await undoOn(under, erased).preview({ from: toPosition(from + 1n), to: await head(), by: sync })).steps,
    ).to.deep.equal([]);
  });
});

const write = fc.record({
  kind: fc.constantFrom("name", "icon", "definitions", "addTop", "addChild", "remove", "remove"),
  name: fc.constantFrom("A", "B", "C"),
  top: fc.constantFrom("one", "two"),
  child: fc.constantFrom("three", "four"),
});

type Write = typeof write extends fc.Arbitrary<infer Value> ? Value : never;

/** Whatever is refused is refused: that is not what this is about. */
async function carryOut({ kind, name, top, child }: Write, commands: Commands, context: CommandContext): Promise<void> {
  if (kind === "name") await commands.updateDatasource({ name: wiki, displayName: name }, context);
  else if (kind === "icon")
    await commands.updateDatasource({ name: wiki, icon: name === "A" ? null : "aWNvbg==" }, context);
  else if (kind === "definitions")
    await commands.updateDatasource({ name: wiki, objectDefinitions: definition(name === "A") }, context);
  else if (kind === "addTop") await commands.addSub({ datasource: wiki, sub: sub(top, top) }, context);
  else if (kind === "addChild") await commands.addSub({ datasource: wiki, sub: sub(child, child, top) }, context);
  else
    await commands.removeSub(
      { datasource: wiki, key: name === "A" ? child : top, parentKey: name === "A" ? top : null },
      context,
    );
}

/** Every field, and every sub by its place. */
function factsOf(recorded: readonly RecordedEvent[]): ReadonlyMap<string, string> {
  const { subs = [], ...fields } = datasourceAfter(recorded, wiki) ?? {};
  const places = subs.flatMap(({ key, subs: children }) => [`/${key}`, ...children.map((one) => `${key}/${one.key}`)]);
  return new Map([
    ...Object.entries(fields).map(([field, value]) => [field, JSON.stringify(value)] as const),
    ...places.map((place) => [place, "there"] as const),
  ]);
}

const changedBetween = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ReadonlySet<string> =>
  new Set([...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key)));

describe("an undo of any changes of a datasource", () => {
  it("leaves it as it was before, but for what somebody has changed since: that stays", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 5 }),
        fc.array(write, { minLength: 1, maxLength: 8 }),
        fc.array(write, { maxLength: 2 }),
        async (good, bad, later) => {
          const under = await openTemporaryCommands();
          try {
            await withPrincipals(under.commands, { users: [], groups: [] });
            for (const each of good) await carryOut(each, under.commands, operator);
            const before = await under.recorded();
            for (const each of bad) await carryOut(each, under.commands, bySync);
            const broken = await under.recorded();
            for (const each of later) await carryOut(each, under.commands, operator);
            const now = await under.recorded();
            const range = {
              from: toPosition((before.at(-1)?.position ?? 0n) + 1n),
              to: toPosition(broken.at(-1)?.position ?? 0n),
              by: sync,
            };
            const { steps } = await undoOn(under, new Set()).carryOut(range, { ...operator, correlationId: "undo" });
            fc.pre(steps.every(({ outcome }) => outcome === "done"));
            const [was, is, left] = [factsOf(before), factsOf(now), factsOf(await under.recorded())];
            const byOthers = changedBetween(factsOf(broken), is);
            for (const key of new Set([...was.keys(), ...is.keys(), ...left.keys()])) {
              if (byOthers.has(key)) expect(left.get(key), key).to.equal(is.get(key));
              else if (later.length === 0) expect(left.get(key), key).to.equal(was.get(key));
            }
          } finally {
            await under.close();
          }
        },
      ),
      propertyRuns(25),
    );
  });
});
