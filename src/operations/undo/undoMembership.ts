import { match, P } from "ts-pattern";
import type { FactAbout } from "../../audit/timeline/permissionFact.js";
import { isEventType } from "../../events/eventTypes.js";
import type { MemberReference, MembershipReference } from "../../../commands/commands.js";
import { undoableFactOf, type FactHistory } from "./facts.js";
import { datasourceGone, type Names } from "./names.js";
import { done, type Undoing } from "./plannedStep.js";

type PersonOrGroupFact = FactAbout<"person" | "group">;
type FactOfKind<Fact extends PersonOrGroupFact, Kind extends Fact["kind"]> = Extract<Fact, { readonly kind: Kind }>;

const kept = (reason: string): Undoing => ({ kind: "kept", reason });

/** Undoes a fact about a person or a group: that there is one, its name, or a membership. */
export const undoPersonOrGroup = (fact: PersonOrGroupFact, history: FactHistory, names: Names): Promise<Undoing> =>
  match(fact)
    .returnType<Promise<Undoing>>()
    .with({ about: "person", kind: "registered" }, () =>
      Promise.resolve(
        kept(
          "A registration cannot be taken back: there is no such request. The person sees what everyone registered may see.",
        ),
      ),
    )
    .with({ about: "group", kind: "created" }, () =>
      Promise.resolve(
        kept("A group cannot be taken back: there is no such request. Without members it lets nobody see anything."),
      ),
    )
    .with({ about: "person", kind: "renamed" }, (renamed) => undoUserName(renamed, history, names))
    .with({ about: "group", kind: "renamed" }, (renamed) => undoGroupName(renamed, history, names))
    .with({ kind: P.union("joined", "left") }, (changed) => undoMembership(changed, history, names))
    .exhaustive();

async function undoUserName(
  { datasourceId, email, name: now }: FactOfKind<FactAbout<"person">, "renamed">,
  { stream, written: [first] }: FactHistory,
  names: Names,
): Promise<Undoing> {
  const named = stream.flatMap(({ position, event }) => {
    const fact = position < first.position && isEventType(event.type) ? undoableFactOf(event) : null;
    return fact?.about === "person" && "name" in fact ? [fact.name] : [];
  });
  const name = named.at(-1) ?? null;
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

async function undoGroupName(
  { datasourceId, name }: FactOfKind<FactAbout<"group">, "renamed">,
  { written: [first] }: FactHistory,
  names: Names,
): Promise<Undoing> {
  const renamed = undoableFactOf(first.event);
  const newName = renamed !== null && "previousName" in renamed ? renamed.previousName : name;
  const datasource = await names.datasource(datasourceId);
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

async function undoMembership(
  fact: FactOfKind<PersonOrGroupFact, "joined" | "left">,
  { before }: FactHistory,
  names: Names,
): Promise<Undoing> {
  const was = before !== null && undoableFactOf(before.event)?.kind === "joined";
  const is = fact.kind === "joined";
  if (was === is) return { kind: "nothing" };
  const { datasourceId } = fact;
  const datasource = await names.datasource(datasourceId);
  if (datasource === null) return kept(datasourceGone);
  const isPerson = fact.about === "person";
  const group = await names.group(datasourceId, isPerson ? fact.groupId : fact.parentId);
  const reference: MemberReference = isPerson
    ? { kind: "user", email: fact.email }
    : { kind: "group", name: await names.group(datasourceId, fact.groupId) };
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
