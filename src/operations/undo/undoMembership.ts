import type { DomainEvent } from "../../events/domainEvent.js";
import type { MembershipEvent } from "../../events/membership.js";
import type { MemberReference, MembershipReference } from "../../../commands/commands.js";
import type { FactHistory } from "./facts.js";
import { datasourceGone, type Names } from "./names.js";
import { done, type Undoing } from "./plannedStep.js";

const kept = (reason: string): Undoing => ({ kind: "kept", reason });

/** Undoes facts about a person: registration, name, memberships. */
export async function undoUserFact(fact: FactHistory, names: Names): Promise<Undoing> {
  const { event } = fact.last;
  if (event.type === "UserRegistered")
    return kept(
      "A registration cannot be taken back: there is no such request. The person sees what everyone registered may see.",
    );
  if (event.type === "UserRenamed") return undoUserName(fact, names);
  return undoMembership(fact, names);
}

/** Undoes facts about groups: creation, name, nestings. */
export async function undoGroupFact(fact: FactHistory, names: Names): Promise<Undoing> {
  const { event } = fact.last;
  if (event.type === "GroupCreated")
    return kept("A group cannot be taken back: there is no such request. Without members it lets nobody see anything.");
  if (event.type === "GroupRenamed") return undoGroupName(fact, names);
  return undoMembership(fact, names);
}

async function undoUserName({ stream, written: [first], last }: FactHistory, names: Names): Promise<Undoing> {
  if (last.event.type !== "UserRenamed") return { kind: "nothing" };
  const { datasourceId, email, name: now } = last.event.data;
  const before = stream.findLast(
    ({ position, event }) =>
      position < first.position && (event.type === "UserRegistered" || event.type === "UserRenamed"),
  );
  const name =
    before?.event.type === "UserRegistered" || before?.event.type === "UserRenamed" ? before.event.data.name : null;
  const datasource = await names.datasource(datasourceId);
  if (datasource === null) return kept(datasourceGone);
  if (name === null) return kept(`${email} had no name before, and a name cannot be taken away.`);
  if (name === now) return { kind: "nothing" };
  return {
    kind: "step",
    step: {
      undo: `call ${email} on ${datasource} ${name} again`,
      gains: [],
      loses: [],
      run: (commands, context) => done(commands.renameUser({ datasource, email, name }, context)),
    },
  };
}

async function undoGroupName({ written, last }: FactHistory, names: Names): Promise<Undoing> {
  const [first] = written;
  if (first.event.type !== "GroupRenamed" || last.event.type !== "GroupRenamed") return { kind: "nothing" };
  const { datasourceId, previousName: newName } = first.event.data;
  const datasource = await names.datasource(datasourceId);
  const { name } = last.event.data;
  if (datasource === null) return kept(datasourceGone);
  if (name === newName) return { kind: "nothing" };
  const [gains, loses] = [
    [`members of it, on documents that name ${newName}`],
    [`members of it, on documents that name ${name}`],
  ];
  return {
    kind: "step",
    step: {
      undo: `rename the group ${name} of ${datasource} back to ${newName}`,
      gains,
      loses,
      run: (commands, context) => done(commands.renameGroup({ datasource, name, newName }, context)),
    },
  };
}

const isAdded = (event: DomainEvent | undefined): boolean => event?.type === "MembershipAdded";

async function undoMembership({ before, last }: FactHistory, names: Names): Promise<Undoing> {
  const [was, is] = [isAdded(before?.event), isAdded(last.event)];
  if (was === is) return { kind: "nothing" };
  const { datasourceId, groupId, member } = (last.event as MembershipEvent).data;
  const datasource = await names.datasource(datasourceId);
  if (datasource === null) return kept(datasourceGone);
  const group = await names.group(datasourceId, groupId);
  const reference: MemberReference =
    member.kind === "user" ? member : { kind: "group", name: await names.group(datasourceId, member.groupId) };
  const membership: MembershipReference = { datasource, group, member: reference };
  const who = reference.kind === "user" ? reference.email : `members of ${reference.name}`;
  const label = reference.kind === "user" ? reference.email : `the group ${reference.name}`;
  const touched = [`${who}, by the group ${group} of ${datasource}`];
  return was
    ? {
        kind: "step",
        step: {
          undo: `let ${label} join the group ${group} of ${datasource} again`,
          gains: touched,
          loses: [],
          run: (commands, context) => done(commands.addMembership(membership, context)),
        },
      }
    : {
        kind: "step",
        step: {
          undo: `take ${label} out of the group ${group} of ${datasource}`,
          gains: [],
          loses: touched,
          run: (commands, context) => done(commands.removeMembership(membership, context)),
        },
      };
}
