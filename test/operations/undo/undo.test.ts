import { expect } from "chai";
import * as fc from "fast-check";
import type { CommandContext, Commands } from "../../../commands/commands.js";
import type { Undo } from "../../../src/operations/undo/undo.js";
import type { DocumentAccess } from "../../../src/events/document.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import { toCredentialId, toDocumentId, toEmail, type Email } from "../../../src/shared/ids.js";
import { toPosition, type Position } from "../../../src/shared/position.js";
import { operator, wiki } from "../../support/examples.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { knownMembers } from "../../commands/groupMembers/knownMembers.js";
import { bySync, document, sync, undoOn } from "./undoing.js";
import {
  accepted,
  openTemporaryCommands,
  withPrincipals,
  type CommandsUnderTest,
} from "../../commands/temporaryCommands.js";

const [ada, bob] = ["ada@example.org", "bob@example.org"].map(toEmail) as [
  ReturnType<typeof toEmail>,
  ReturnType<typeof toEmail>,
];
const everyone: DocumentAccess = { anonymous: true, users: [], groups: [] };
const staffOnly: DocumentAccess = { anonymous: false, users: [], groups: ["staff"] };

const person = (email: typeof ada) => ({ kind: "user", email }) as const;
const group = (name: string) => ({ kind: "group", name }) as const;

describe("undo", () => {
  let under: CommandsUnderTest;
  let commands: Commands;
  let undo: Undo;
  let erased: Set<string>;
  beforeEach(async () => {
    under = await openTemporaryCommands();
    commands = under.commands;
    erased = new Set();
    undo = undoOn(under, erased);
    await withPrincipals(commands, { users: [ada, bob], groups: ["staff", "crew"] });
    await accepted(commands.addMembership({ datasource: wiki, group: "staff", member: person(ada) }, operator));
    await accepted(commands.indexDocument(document("plan", staffOnly), operator));
  });
  afterEach(() => under.close());

  const head = async (): Promise<Position> => (await under.recorded()).at(-1)?.position ?? toPosition(0);
  const since = async (from: Position) => ({ from: toPosition(from + 1n), to: await head(), by: sync });

  it("knows service accounts, keys, the command line, and whoever may sign in by their email", async () => {
    const created = await accepted(commands.createApiKey({ email: ada, expiresAt: null, roles: [] }, operator));
    await accepted(commands.createAccount({ email: bob, roles: [], origin: "operator", password: null }, operator));
    for (const by of [created.value.id, toCredentialId("operator"), toCredentialId(bob)])
      expect(await undo.isKnown(by), by).to.equal(true);
    expect(await undo.isKnown(toCredentialId(ada))).to.equal(false);
  });

  it("says what it would do, newest first, and who gains and loses by it; and writes nothing", async () => {
    const before = await head();
    await accepted(commands.addMembership({ datasource: wiki, group: "staff", member: person(bob) }, bySync));
    await accepted(commands.removeMembership({ datasource: wiki, group: "staff", member: person(ada) }, bySync));
    await accepted(commands.addMembership({ datasource: wiki, group: "staff", member: group("crew") }, bySync));
    await accepted(commands.indexDocument(document("plan", everyone), bySync));
    await accepted(commands.indexDocument(document("new", everyone), bySync));
    const range = await since(before);
    const { steps, events, dry_run: isDry } = await undo.preview(range);
    expect({ events, isDry }).to.deep.equal({ events: 5, isDry: true });
    expect(steps.map(({ undo: sentence, gains, loses }) => [sentence, gains, loses])).to.deep.equal([
      ["delete wiki/new", [], ["everyone registered"]],
      ["index wiki/plan again as it was", [], ["everyone registered"]],
      ["take the group crew out of the group staff of wiki", [], ["members of crew, by the group staff of wiki"]],
      ["let ada@example.org join the group staff of wiki again", ["ada@example.org, by the group staff of wiki"], []],
      ["take bob@example.org out of the group staff of wiki", [], ["bob@example.org, by the group staff of wiki"]],
    ]);
    expect(await head()).to.equal(range.to);
  });

  it("says how much of it is done, command by command", async () => {
    const before = await head();
    for (const id of ["one", "two"]) await accepted(commands.indexDocument(document(id, everyone), bySync));
    const told: number[] = [];
    await undo.carryOut(await since(before), operator, ({ done }) => told.push(done));
    expect(told).to.deep.equal([0, 0.5]);
  });

  it("does it by commands of whoever asks, each caused by the event that it takes back", async () => {
    const before = await head();
    await accepted(commands.addMembership({ datasource: wiki, group: "staff", member: person(bob) }, bySync));
    const bad = (await under.recorded()).at(-1);
    const answer = await undo.carryOut(await since(before), { ...operator, correlationId: "undo-1" });
    const last = (await under.recorded()).at(-1);
    expect(answer.steps.map(({ outcome }) => outcome)).to.deep.equal(["done"]);
    expect(last?.event.type).to.equal("MembershipRemoved");
    expect(last?.metadata).to.deep.include({ by: "operator", correlationId: "undo-1", causationId: bad?.id });
    expect(answer.position).to.equal(last?.position.toString());
  });

  it("leaves alone what anybody has changed since", async () => {
    const before = await head();
    await accepted(commands.indexDocument(document("plan", everyone), bySync));
    const range = await since(before);
    await accepted(commands.indexDocument(document("plan", { ...everyone, anonymous: false, users: [bob] }), operator));
    const { steps, changed_since: changed } = await undo.preview(range);
    expect(steps).to.deep.equal([]);
    expect(changed.map(({ reason }) => reason.slice(0, reason.indexOf(":")))).to.deep.equal([
      "operator has changed it since",
    ]);
  });

  it("puts both sides of a replacement of members back, but for whoever was written about since", async () => {
    const carl = toEmail("carl@example.org");
    await accepted(commands.registerUser({ datasource: wiki, email: carl, name: null }, operator));
    const before = await head();
    const known = knownMembers(await under.recorded(), "staff", [bob, carl]);
    await accepted(
      commands.replaceGroupMembers({ datasource: wiki, group: "staff", members: [bob, carl], known }, bySync),
    );
    await accepted(commands.removeMembership({ datasource: wiki, group: "staff", member: person(carl) }, operator));
    const { steps, changed_since: changed } = await undo.carryOut(await since(before), operator);
    expect(steps.map(({ undo: sentence, outcome }) => [sentence, outcome]).sort()).to.deep.equal([
      ["let ada@example.org join the group staff of wiki again", "done"],
      ["take bob@example.org out of the group staff of wiki", "done"],
    ]);
    expect(changed.map(({ event }) => event)).to.deep.equal(["GroupMembersReplaced"]);
  });

  it("says what no command can bring back", async () => {
    await accepted(commands.indexDocument(document("old", staffOnly, { text: "the old text" }), operator));
    const before = await head();
    await accepted(commands.createGroup({ datasource: wiki, name: "cooks" }, bySync));
    await accepted(commands.deleteDocument({ datasource: wiki, documentId: toDocumentId("plan") }, bySync));
    await accepted(
      commands.indexDocument(document("old", { ...staffOnly, groups: ["crew"] }, { text: "another text" }), bySync),
    );
    erased.add("plan").add("old");
    const { steps, not_restorable: lost } = await undo.preview(await since(before));
    expect(steps).to.deep.equal([]);
    expect(lost.map(({ event }) => event).sort()).to.deep.equal(["DocumentDeleted", "DocumentIndexed", "GroupCreated"]);
  });

  it("deletes who was registered, and registers who was deleted, memberships included", async () => {
    const before = await head();
    await accepted(commands.registerUser({ datasource: wiki, email: toEmail("carl@example.org"), name: null }, bySync));
    await accepted(commands.deleteUser({ datasource: wiki, email: ada }, bySync));
    const { steps } = await undo.carryOut(await since(before), operator);
    expect(steps.map(({ undo: sentence, outcome }) => [sentence, outcome])).to.deep.equal([
      ["register ada@example.org on wiki again", "done"],
      ["let ada@example.org join the group staff of wiki again", "done"],
      ["delete carl@example.org from wiki", "done"],
    ]);
  });

  it("leaves a registration that somebody else has written about since, and groups that are gone", async () => {
    const carl = toEmail("carl@example.org");
    const before = await head();
    await accepted(commands.registerUser({ datasource: wiki, email: carl, name: null }, bySync));
    await accepted(commands.addMembership({ datasource: wiki, group: "staff", member: group("crew") }, operator));
    await accepted(commands.addMembership({ datasource: wiki, group: "staff", member: person(carl) }, operator));
    await accepted(commands.deleteGroup({ datasource: wiki, name: "staff" }, bySync));
    const { steps, not_restorable: lost } = await undo.preview(await since(before));
    expect(steps).to.deep.equal([]);
    expect(lost.map(({ event, reason }) => `${event}: ${reason}`).sort()).to.deep.equal([
      "GroupDeleted: The group staff does not come back with its members: create it again, and put its members into it.",
      "MembershipRemoved: The group has been deleted.",
      "UserRegistered: operator has written about carl@example.org since, so the registration stays.",
    ]);
  });

  it("narrows an access list even where the text of before is gone, and says that it is", async () => {
    const before = await head();
    await accepted(commands.indexDocument(document("plan", everyone, { text: "another text" }), bySync));
    erased.add("plan");
    const answer = await undo.carryOut(await since(before), operator);
    expect(answer.steps.map(({ undo: sentence, outcome }) => [sentence, outcome])).to.deep.equal([
      ["give wiki/plan its narrower access list back", "done"],
    ]);
    expect(answer.not_restorable.map(({ reason }) => reason)).to.deep.equal([
      "The text of wiki/plan was replaced and has been erased: push it again from its source.",
    ]);
    const last = (await under.recorded()).at(-1)?.event;
    expect(last?.type === "DocumentIndexed" && last.data.access).to.deep.equal(staffOnly);
  });

  it("renames back, under the names of now", async () => {
    const before = await head();
    await accepted(commands.addMembership({ datasource: wiki, group: "crew", member: person(ada) }, bySync));
    await accepted(commands.renameGroup({ datasource: wiki, name: "crew", newName: "cabin" }, bySync));
    await accepted(commands.renameUser({ datasource: wiki, email: ada, name: "A." }, operator));
    await accepted(commands.renameUser({ datasource: wiki, email: ada, name: "B." }, bySync));
    const { steps } = await undo.carryOut(await since(before), operator);
    expect(steps.map(({ undo: sentence, outcome }) => [sentence, outcome])).to.deep.equal([
      ["call ada@example.org on wiki A. again", "done"],
      ["take ada@example.org out of the group cabin of wiki", "done"],
      ["rename the group cabin of wiki back to crew", "done"],
    ]);
  });

  it("changes nothing when it is asked for again", async () => {
    const before = await head();
    await accepted(commands.addMembership({ datasource: wiki, group: "staff", member: person(bob) }, bySync));
    const range = await since(before);
    await undo.carryOut(range, operator);
    const after = await head();
    const again = await undo.carryOut(range, operator);
    expect(again.steps).to.deep.equal([]);
    expect(await head()).to.equal(after);
  });
});

const badWrite = fc.record({
  kind: fc.constantFrom("join", "leave", "replace", "replace", "nest", "unnest", "index", "index", "delete", "rename"),
  who: fc.constantFrom(ada, bob),
  from: fc.constantFrom("staff", "crew", "cooks"),
  to: fc.constantFrom("staff", "crew", "cooks"),
  id: fc.constantFrom("one", "two", "three"),
  access: fc.constantFrom(everyone, staffOnly, { anonymous: false, users: [bob], groups: ["crew"] }),
});

type BadWrite = typeof badWrite extends fc.Arbitrary<infer Value> ? Value : never;

/** Whatever is refused is refused: that is not what this is about. */
async function write(
  { kind, who, from, to, id, access }: BadWrite,
  { commands, recorded }: CommandsUnderTest,
  context: CommandContext,
): Promise<void> {
  if (kind === "replace") {
    const members = from === "cooks" ? [ada, bob] : from === "crew" ? [] : [who];
    const known = knownMembers(await recorded(), to, members);
    await commands.replaceGroupMembers({ datasource: wiki, group: to, members, known }, context);
  } else if (kind === "join")
    await commands.addMembership({ datasource: wiki, group: to, member: person(who) }, context);
  else if (kind === "leave")
    await commands.removeMembership({ datasource: wiki, group: to, member: person(who) }, context);
  else if (kind === "nest") await commands.addMembership({ datasource: wiki, group: to, member: group(from) }, context);
  else if (kind === "unnest")
    await commands.removeMembership({ datasource: wiki, group: to, member: group(from) }, context);
  else if (kind === "index") await commands.indexDocument(document(id, access), context);
  else if (kind === "delete")
    await commands.deleteDocument({ datasource: wiki, documentId: toDocumentId(id) }, context);
  else await commands.renameGroup({ datasource: wiki, name: from, newName: `${to}-2` }, context);
}

/** Who belongs to what, and which documents there are for whom. */
function stateAfter(recorded: readonly RecordedEvent[]): object {
  const memberships = new Set<string>();
  const documents = new Map<string, unknown>();
  for (const { event } of recorded) {
    if (event.type === "MembershipAdded") memberships.add(JSON.stringify(event.data));
    else if (event.type === "MembershipRemoved") memberships.delete(JSON.stringify(event.data));
    else if (event.type === "GroupMembersReplaced") {
      const { datasourceId, groupId, joined, left } = event.data;
      const named = (email: Email): string =>
        JSON.stringify({ datasourceId, groupId, member: { kind: "user", email } });
      for (const email of left) memberships.delete(named(email));
      for (const email of joined) memberships.add(named(email));
    } else if (event.type === "DocumentIndexed") documents.set(event.data.documentId, event.data.access);
    else if (event.type === "DocumentDeleted") documents.delete(event.data.documentId);
  }
  return { memberships: [...memberships].sort(), documents: [...documents].sort() };
}

describe("an undo of any sync", () => {
  it("leaves memberships and access as they were before it, but for what is refused or told as lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(badWrite, { maxLength: 12 }),
        fc.array(badWrite, { minLength: 1, maxLength: 12 }),
        async (good, bad) => {
          const under = await openTemporaryCommands();
          try {
            await withPrincipals(under.commands, { users: [ada, bob], groups: ["staff", "crew", "cooks"] });
            for (const each of good)
              await write({ ...each, kind: each.kind === "rename" ? "join" : each.kind }, under, operator);
            const before = await under.recorded();
            for (const each of bad) await write(each, under, bySync);
            const to = (await under.recorded()).at(-1)?.position ?? toPosition(0);
            const from = toPosition((before.at(-1)?.position ?? 0n) + 1n);
            const { steps } = await undoOn(under, new Set()).carryOut({ from, to, by: sync }, operator);
            // Nestings are put back one by one: in between they may seem to close a cycle, and then it is said.
            fc.pre(steps.every(({ outcome }) => outcome === "done"));
            expect(stateAfter(await under.recorded())).to.deep.equal(stateAfter(before));
          } finally {
            await under.close();
          }
        },
      ),
      propertyRuns(25),
    );
  });
});
