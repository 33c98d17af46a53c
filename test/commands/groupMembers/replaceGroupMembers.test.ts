import { expect } from "chai";
import * as fc from "fast-check";
import type { Commands, KnownMembers } from "../../../commands/commands.js";
import { toEmail, type Email } from "../../../src/shared/ids.js";
import { operator, wiki } from "../../support/examples.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import {
  accepted,
  openTemporaryCommands,
  outcome,
  withPrincipals,
  type CommandsUnderTest,
} from "../temporaryCommands.js";
import { knownMembers } from "./knownMembers.js";

const people = ["ada", "ben", "cleo"].map((name) => toEmail(`${name}@example.org`));
const groups = ["staff", "board"] as const;

const anyAsked = fc.record({
  kind: fc.constantFrom("add", "remove", "replace", "replace", "delete", "register", "dissolve"),
  person: fc.constantFrom(...people),
  group: fc.constantFrom(...groups),
  list: fc.subarray([...people]),
});
type Asked = typeof anyAsked extends fc.Arbitrary<infer Value> ? Value : never;

/** What a client does that replaces members: it looks, and asks; and again where others were faster. */
async function replace(under: CommandsUnderTest, commands: Commands, { group, list }: Asked): Promise<string> {
  for (;;) {
    const known = knownMembers(await under.recorded(), group, list);
    const answer = await commands.replaceGroupMembers({ datasource: wiki, group, members: list, known }, operator);
    if (!answer.ok) return answer.error.type;
    const isGone =
      (await outcome(commands.renameGroup({ datasource: wiki, name: group, newName: group }, operator))) !== "accepted";
    if (answer.value.value.kind === "done") return "accepted";
    if (isGone) return "GroupNotFound";
  }
}

function ask(under: CommandsUnderTest, commands: Commands, asked: Asked): Promise<string> {
  const { kind, person: email, group } = asked;
  const member = { datasource: wiki, group, member: { kind: "user", email } } as const;
  const given: { readonly [Kind in Asked["kind"]]: () => Promise<string> } = {
    add: () => outcome(commands.addMembership(member, operator)),
    remove: () => outcome(commands.removeMembership(member, operator)),
    replace: () => replace(under, commands, asked),
    delete: () => outcome(commands.deleteUser({ datasource: wiki, email }, operator)),
    register: () => outcome(commands.registerUser({ datasource: wiki, email, name: null }, operator)),
    dissolve: () => outcome(commands.deleteGroup({ datasource: wiki, name: group }, operator)),
  };
  return given[kind]();
}

interface State {
  readonly people: ReadonlySet<Email>;
  readonly groups: ReadonlyMap<string, ReadonlySet<Email>>;
}

/** What one client alone would be answered, and what would be so then. */
function alone(state: State, asked: Asked): readonly [string, State] {
  const { kind, person, group } = asked;
  const { people: registered, groups: there } = state;
  if (kind === "register")
    return registered.has(person)
      ? ["UserExists", state]
      : ["accepted", { ...state, people: new Set([...registered, person]) }];
  if (kind === "delete") {
    if (!registered.has(person)) return ["UserNotFound", state];
    const left = Array.from(there, ([name, of]) => [name, without(of, person)] as const);
    return ["accepted", { people: without(registered, person), groups: new Map(left) }];
  }
  const members = there.get(group);
  if (members === undefined) return ["GroupNotFound", state];
  if (kind === "dissolve")
    return ["accepted", { ...state, groups: new Map([...there].filter(([name]) => name !== group)) }];
  const [answer, changed] = changedAlone(members, registered, asked);
  return [answer, { ...state, groups: new Map([...there, [group, changed]]) }];
}

/** The same of what changes the members of a group. */
function changedAlone(
  members: ReadonlySet<Email>,
  registered: ReadonlySet<Email>,
  { kind, person, list }: Asked,
): readonly [string, ReadonlySet<Email>] {
  const named = kind === "replace" ? list : [person];
  if (!named.every((email) => registered.has(email))) return ["UserNotFound", members];
  if (kind === "replace") return ["accepted", new Set(list)];
  if (kind === "add")
    return members.has(person) ? ["MembershipExists", members] : ["accepted", new Set([...members, person])];
  return members.has(person) ? ["accepted", without(members, person)] : ["MembershipNotFound", members];
}

const without = (of: ReadonlySet<Email>, person: Email): ReadonlySet<Email> =>
  new Set([...of].filter((email) => email !== person));

const inWords = ({ people: registered, groups: there }: State): string =>
  JSON.stringify([[...registered].sort(), [...there].map(([name, of]) => [name, [...of].sort()]).sort()]);

/** Whether some order of these requests comes to these answers and to this end. */
function isSomeOrder(
  from: State,
  rest: readonly { readonly asked: Asked; readonly told: string }[],
  end: string,
): boolean {
  if (rest.length === 0) return inWords(from) === end;
  return rest.some(({ asked, told }, index) => {
    const [answer, state] = alone(from, asked);
    return answer === told && isSomeOrder(state, rest.toSpliced(index, 1), end);
  });
}

describe("the command that replaces the members of a group", () => {
  const stateIn = async (under: CommandsUnderTest): Promise<State> => {
    const recorded = await under.recorded();
    const there = new Map<string, ReadonlySet<Email>>();
    for (const group of groups) {
      const known = knownMembers(recorded, group, []);
      if ((known.groupId as string) !== "none") there.set(group, known.members);
    }
    const { unregistered } = knownMembers(recorded, "staff", people);
    return { people: new Set(people.filter((email) => !unregistered.includes(email))), groups: there };
  };

  it("comes, with whatever races it in two processes, to what some order of the requests comes to", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAsked, { maxLength: 4 }),
        fc.array(anyAsked, { minLength: 2, maxLength: 5 }),
        async (first, racing) => {
          const under = await openTemporaryCommands();
          try {
            await withPrincipals(under.commands, { users: people, groups });
            const another = await under.another();
            for (const asked of first) await ask(under, under.commands, asked);
            const from = await stateIn(under);
            const told = await Promise.all(
              racing.map((asked, index) => ask(under, index % 2 === 0 ? under.commands : another, asked)),
            );
            const requests = racing.map((asked, index) => ({ asked, told: told[index] ?? "" }));
            expect(isSomeOrder(from, requests, inWords(await stateIn(under))), JSON.stringify(told)).to.equal(true);
          } finally {
            await under.close();
          }
        },
      ),
      propertyRuns(15),
    );
  });

  it("writes what it was told to be known of late, and nothing comes back by it", async () => {
    const under = await openTemporaryCommands();
    try {
      const [ada, ben] = people as [Email, Email, Email];
      await withPrincipals(under.commands, { users: people, groups });
      const replaceKnowing = async (members: readonly Email[], known: KnownMembers) =>
        (
          await accepted(
            under.commands.replaceGroupMembers({ datasource: wiki, group: "staff", members, known }, operator),
          )
        ).value.kind;
      const early = knownMembers(await under.recorded(), "staff", [ada, ben]);
      await accepted(under.commands.deleteUser({ datasource: wiki, email: ada }, operator));
      expect(await replaceKnowing([ada, ben], early)).to.equal("done");
      await accepted(under.commands.registerUser({ datasource: wiki, email: ada, name: null }, operator));
      const isMember = async (email: Email): Promise<boolean> => {
        const member = { datasource: wiki, group: "staff", member: { kind: "user", email } } as const;
        const told = await outcome(under.commands.removeMembership(member, { ...operator, dryRun: true }));
        return told === "accepted";
      };
      expect([await isMember(ada), await isMember(ben)]).to.deep.equal([false, true]);
      expect(knownMembers(await under.recorded(), "staff", []).members).to.deep.equal(new Set([ben]));
      expect(await replaceKnowing([ada], early)).to.equal("outdated");
      expect(await replaceKnowing([ben], knownMembers(await under.recorded(), "staff", [ben]))).to.equal("done");
      expect((await under.recorded()).filter(({ event }) => event.type === "GroupMembersReplaced")).to.have.length(1);
    } finally {
      await under.close();
    }
  });

  it("answers with a token that is not older than the list that it was given, though nothing is written", async () => {
    const under = await openTemporaryCommands();
    try {
      const [ada] = people as [Email, Email, Email];
      await withPrincipals(under.commands, { users: people, groups });
      const another = await under.another();
      const member = { datasource: wiki, group: "staff", member: { kind: "user", email: ada } } as const;
      await accepted(under.commands.addMembership(member, operator));
      const known = knownMembers(await under.recorded(), "staff", [ada]);
      const replacement = { datasource: wiki, group: "staff", members: [ada], known };
      const { value, position } = await accepted(another.replaceGroupMembers(replacement, operator));
      expect(value.kind).to.equal("done");
      expect(position).to.equal(known.asOf);
      const later = await accepted(
        another.renameGroup({ datasource: wiki, name: "board", newName: "board" }, operator),
      );
      expect(later.position).to.equal(known.asOf);
    } finally {
      await under.close();
    }
  });
});
