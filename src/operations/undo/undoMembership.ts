import { match, P } from "ts-pattern";
import type { FactAbout } from "../../audit/timeline/permissionFact.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { isEventType } from "../../events/eventTypes.js";
import type { MemberReference, MembershipReference } from "../../../commands/commands.js";
import { undoableFactOf, type FactHistory } from "./facts.js";
import { datasourceGone, type Names } from "./names.js";
import { done, type PlannedStep, type Undoing } from "./ports.js";

type PersonOrGroupFact = FactAbout<"person" | "group">;
type FactOfKind<Fact extends PersonOrGroupFact, Kind extends Fact["kind"]> = Extract<Fact, { readonly kind: Kind }>;

const kept = (reason: string): Undoing => ({ kind: "kept", reason });

/** Undoes a fact about a person or a group: that there is one, its name, or a membership. */
export const undoPersonOrGroup = (fact: PersonOrGroupFact, history: FactHistory, names: Names): Promise<Undoing> =>
  match(fact)
    .returnType<Promise<Undoing>>()
    .with({ about: "person", kind: P.union("registered", "deleted") }, (changed) =>
      undoRegistration(changed, history, names),
    )
    .with({ about: "group", kind: "created" }, () =>
      Promise.resolve(
        kept(
          "A group is not taken back, since others may have put people into it. Without members it lets nobody see anything.",
        ),
      ),
    )
    .with({ about: "group", kind: "deleted" }, ({ name }) =>
      Promise.resolve(
        kept(`The group ${name} does not come back with its members: create it again, and put its members into it.`),
      ),
    )
    .with({ about: "person", kind: "renamed" }, (renamed) => undoUserName(renamed, history, names))
    .with({ about: "group", kind: "renamed" }, (renamed) => undoGroupName(renamed, history, names))
    .with({ kind: P.union("joined", "left") }, (changed) => undoMembership(changed, history, names))
    .exhaustive();

async function undoRegistration(
  { datasourceId, email, kind }: FactOfKind<FactAbout<"person">, "registered" | "deleted">,
  { before, stream, written: [first], last }: FactHistory,
  names: Names,
): Promise<Undoing> {
  const was = before !== null && undoableFactOf(before.event)?.kind === "registered";
  if (was === (kind === "registered")) return { kind: "nothing" };
  const datasource = await names.datasource(datasourceId);
  if (datasource === null) return kept(datasourceGone);
  const touched = [`${email}, by being registered on ${datasource}`];
  if (was) {
    const name = nameBefore(stream, first);
    const run: PlannedStep["run"] = (commands, context) =>
      done(commands.registerUser({ datasource, email, name }, context));
    return { kind: "step", step: { undo: `register ${email} on ${datasource} again`, gains: touched, loses: [], run } };
  }
  const other = stream.find(({ position, metadata }) => position > first.position && metadata.by !== last.metadata.by);
  if (other !== undefined)
    return kept(`${other.metadata.by} has written about ${email} since, so the registration stays.`);
  const run: PlannedStep["run"] = (commands, context) => done(commands.deleteUser({ datasource, email }, context));
  return { kind: "step", step: { undo: `delete ${email} from ${datasource}`, gains: [], loses: touched, run } };
}

/** What a person was called before an event; null: nothing. */
function nameBefore(stream: FactHistory["stream"], { position: end }: RecordedEvent): string | null {
  const named = stream.flatMap(({ position, event }) => {
    const fact = position < end && isEventType(event.type) ? undoableFactOf(event) : null;
    return fact?.about === "person" && "name" in fact ? [fact.name] : [];
  });
  return named.at(-1) ?? null;
}

async function undoUserName(
  { datasourceId, email, name: now }: FactOfKind<FactAbout<"person">, "renamed">,
  { stream, written: [first] }: FactHistory,
  names: Names,
): Promise<Undoing> {
  const name = nameBefore(stream, first);
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
  const member = isPerson ? fact.email : await names.group(datasourceId, fact.groupId);
  if (group === null || member === null) return kept("The group has been deleted.");
  const reference: MemberReference = isPerson ? { kind: "user", email: fact.email } : { kind: "group", name: member };
  const membership: MembershipReference = { datasource, group, member: reference };
  const [who, label] = isPerson ? [member, member] : [`members of ${member}`, `the group ${member}`];
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
