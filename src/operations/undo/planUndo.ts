import { match, P } from "ts-pattern";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { toldOfPeople } from "../../events/scope.js";
import {
  categoryOf,
  permissionCategories,
  type StreamName,
  groupMembersStream,
  idOf,
  documentStream,
} from "../../events/streams.js";
import { toDatasourceName, type DatasourceId, toDatasourceId } from "../../shared/ids.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import {
  datasourceFactsIn,
  type DatasourceFact,
  undoField,
  undoIncarnations,
  undoSub,
  type DatasourceUndo,
} from "./undoDatasource.js";
import { factsIn, isWrittenBy, type FactHistory, undoableFactOf } from "./facts.js";
import { Names, datasourceGone } from "./names.js";
import { type UndoLog, type UndoTexts, type PlannedStep, type Undoing, done } from "./ports.js";
import type { KeptEventAnswer, UndoRequest } from "./undo.js";
import type { DocumentAccess, DocumentEvent, DocumentIndexed } from "../../events/document.js";
import type { IndexDocument, MemberReference, MembershipReference } from "../../../commands/commands.js";
import type { FactAbout } from "../../audit/timeline/permissionFact.js";
import { isEventType } from "../../events/eventTypes.js";

/** What is to be done, in this order, and what stays. */
export interface UndoPlan {
  readonly events: number;
  readonly steps: readonly PlannedStep[];
  readonly changedSince: readonly KeptEventAnswer[];
  readonly notRestorable: readonly KeptEventAnswer[];
}

/**
 * Works out what takes back the writes of a credential in a stretch of the log: for every fact that it changed, what
 * restores the state before its first change there. What anybody has changed since is left alone.
 */
export async function planUndo(request: UndoRequest, log: UndoLog, texts: UndoTexts): Promise<UndoPlan> {
  const head = await log.head();
  const [streams, events] = await streamsWritten(request, log, head);
  const names = new Names(log);
  const about = new EventsAbout(log);
  const plan: Plan = { events, steps: [], changedSince: [], notRestorable: [], whole: new Set() };
  for (const stream of streams) {
    if (categoryOf(stream) === "datasource") await planDatasource(stream, { request, log, head }, plan);
  }
  for (const stream of streams) {
    if (categoryOf(stream) === "datasource" || plan.whole.has(incarnationOf(stream))) continue;
    for (const fact of factsIn(await about.read(stream), request)) {
      if (fact.since !== null) plan.changedSince.push(keptBecause(fact.last, sinceSentence(fact.since)));
      else decide(await undoing(fact, names, texts, log), fact.last, plan);
    }
  }
  // The newest first; names of groups last, because everything else calls groups what they are called now.
  const isName = ({ taken }: PlannedStep): boolean => taken.event.type === "GroupRenamed";
  plan.steps.sort((a, b) => Number(isName(a)) - Number(isName(b)) || Number(b.taken.position - a.taken.position));
  return plan;
}

interface Plan extends UndoPlan {
  readonly steps: PlannedStep[];
  readonly changedSince: KeptEventAnswer[];
  readonly notRestorable: KeptEventAnswer[];
  /**
   * Incarnations of datasources that are gone, or go with everything in them: nothing of theirs is undone by itself.
   */
  readonly whole: Set<string>;
}

/** Takes the incarnation out of `user-{incarnation}:{email}` and the like. */
const incarnationOf = (stream: StreamName): string => stream.slice(stream.indexOf("-") + 1).split(":")[0] ?? "";

async function planDatasource(
  stream: StreamName,
  given: Omit<DatasourceUndo, "name" | "stream">,
  plan: Plan,
): Promise<void> {
  const about: DatasourceUndo = {
    ...given,
    name: toDatasourceName(stream.slice(stream.indexOf("-") + 1)),
    stream: await given.log.readStream(stream, 0),
  };
  const facts = datasourceFactsIn(about.stream, given.request);
  const incarnation = facts.find(({ kind }) => kind === "incarnation");
  const changes = facts.filter(
    (fact) => fact.kind === "incarnation" || incarnation === undefined || !comesOrGoes(fact.datasourceId, incarnation),
  );
  for (const fact of changes) {
    if (fact.since !== null) plan.changedSince.push(keptBecause(fact.last, sinceSentence(fact.since)));
    else if (fact.kind === "field") decide(undoField(fact, about), fact.last, plan);
    else if (fact.kind === "sub") decide(await undoSub(fact, about), fact.last, plan);
    else await planIncarnations(fact, about, plan);
  }
}

async function planIncarnations(
  fact: Extract<DatasourceFact, { readonly kind: "incarnation" }>,
  about: DatasourceUndo,
  plan: Plan,
): Promise<void> {
  const undoings = await undoIncarnations(fact, about);
  for (const { about: taken, undoing: what } of undoings) decide(what, taken, plan);
  const isKept = undoings.some(({ undoing: what }) => what.kind === "kept");
  for (const id of incarnationsIn(about)) if (!isKept || id !== fact.now) plan.whole.add(id);
}

/** The incarnations that the credential has registered or deleted in the stretch. */
const incarnationsIn = ({ stream, request }: DatasourceUndo): readonly DatasourceId[] =>
  stream.flatMap(({ event, ...recorded }) =>
    (event.type === "DatasourceRegistered" || event.type === "DatasourceDeleted") &&
    isWrittenBy(request, { event, ...recorded })
      ? [event.data.datasourceId]
      : [],
  );

/** True of an incarnation that comes or goes: its fields and subs come and go with it. */
const comesOrGoes = (id: DatasourceId, { before, now }: DatasourceFact): boolean =>
  before !== now && (id === before || id === now);

/** The streams that the credential has written to in the stretch, and the number of its events. */
async function streamsWritten(
  { from, to, by }: UndoRequest,
  log: UndoLog,
  head: Position,
): Promise<readonly [ReadonlySet<StreamName>, number]> {
  const streams = new Set<StreamName>();
  let count = 0;
  const after = from > beginning ? toPosition(from - 1n) : beginning;
  for await (const events of log.readRange(after, to < head ? to : head, permissionCategories)) {
    const theirs = events.filter(({ metadata, unreadable }) => metadata.by === by && unreadable === undefined);
    for (const stream of theirs.flatMap(streamsAbout)) streams.add(stream);
    count += theirs.length;
  }
  return [streams, count];
}

/** The streams of what an event is about: of people, where it is in the stream of groups' members. */
const streamsAbout = (recorded: RecordedEvent): readonly StreamName[] =>
  categoryOf(recorded.stream) === "groupMembers"
    ? toldOfPeople(recorded).map(({ person }) => person)
    : [recorded.stream];

const undoing = (history: FactHistory, names: Names, texts: UndoTexts, log: UndoLog): Promise<Undoing> =>
  match(history.fact)
    .returnType<Promise<Undoing>>()
    .with({ about: P.union("person", "group") }, (fact) => undoPersonOrGroup(fact, history, names))
    .with({ about: "document" }, async () => {
      const what = await undoDocument(history, names, texts);
      // Documents are replaced whole: what was written to one since the plan was made would be lost. Others refuse by
      // themselves.
      const isAsPlanned = async (): Promise<boolean> =>
        (await log.readLast(history.last.stream))?.position === history.last.position;
      return what.kind === "step" ? { ...what, step: { ...what.step, isAsPlanned } } : what;
    })
    .exhaustive();

/** Puts what becomes of an event into the plan. */
function decide(what: Undoing, taken: RecordedEvent, plan: Plan): void {
  if (what.kind === "kept") plan.notRestorable.push(keptBecause(taken, what.reason));
  if (what.kind === "step") plan.steps.push({ ...what.step, taken });
  if (what.kind === "step" && what.but !== undefined) plan.notRestorable.push(keptBecause(taken, what.but));
}

const keptBecause = ({ position, stream, event }: RecordedEvent, reason: string): KeptEventAnswer => ({
  position: position.toString(),
  stream,
  event: event.type,
  reason,
});

const sinceSentence = ({ position, event, metadata: { by, at } }: RecordedEvent): string =>
  `${by} has changed it since: ${event.type} at position ${position}, ${at}.`;

type ToldByPerson = ReadonlyMap<StreamName, readonly RecordedEvent[]>;

/** Everything that was written about what a stream is of: about a person by the stream of groups' members, too. */
class EventsAbout {
  private readonly told = new Map<StreamName, Promise<ToldByPerson>>();

  constructor(private readonly log: Pick<UndoLog, "readStream">) {}

  /** In log order; those that are about more are cut down to what they say of this. */
  async read(stream: StreamName): Promise<readonly RecordedEvent[]> {
    const own = await this.log.readStream(stream, 0);
    if (categoryOf(stream) !== "user") return own;
    const members = groupMembersStream(toDatasourceId(idOf(stream).split(":")[0] ?? ""));
    const told = this.told.get(members) ?? this.readTold(members);
    this.told.set(members, told);
    const others = (await told).get(stream) ?? [];
    return [...own, ...others].sort((a, b) => Number(a.position - b.position));
  }

  private async readTold(members: StreamName): Promise<ToldByPerson> {
    const byPerson = new Map<StreamName, RecordedEvent[]>();
    for (const { person, recorded } of (await this.log.readStream(members, 0)).flatMap(toldOfPeople)) {
      const known = byPerson.get(person);
      if (known === undefined) byPerson.set(person, [recorded]);
      else known.push(recorded);
    }
    return byPerson;
  }
}

type Indexed = DocumentIndexed["data"];
type Step = Omit<PlannedStep, "taken">;

const isText = (text: string | null): text is string => text !== null;

/**
 * A document goes back to the version before: deleted where there was none, else indexed again with the fields and the
 * access of then, if its text is still there. Where it is not, a narrower access list comes back without it; a wider
 * one does not: it was given for another text.
 */
async function undoDocument({ before, last }: FactHistory, names: Names, texts: UndoTexts): Promise<Undoing> {
  const was = before === null ? null : versionAfter(before);
  const is = versionAfter(last);
  const data = was ?? is;
  if (data === null) return { kind: "nothing" };
  if ((await names.datasource(data.datasourceId)) === null) return { kind: "kept", reason: datasourceGone };
  if (was === null) return { kind: "step", step: deletion(data) };
  const text = await texts.read(keyOf(was));
  if (isText(text)) return { kind: "step", step: indexing(was, is, text, `index ${nameOf(was)} again as it was`) };
  if (is === null)
    return {
      kind: "kept",
      reason: `The document was deleted, and its text has been erased: push ${nameOf(was)} again from its source.`,
    };
  return narrowed(was, is, texts);
}

/** The version that an event of a document's stream leaves; null: none. */
const versionAfter = ({ event }: RecordedEvent): Indexed | null =>
  match(event as DocumentEvent)
    .returnType<Indexed | null>()
    .with({ type: "DocumentIndexed" }, ({ data }) => data)
    .with({ type: "DocumentDeleted" }, () => null)
    .exhaustive();

async function narrowed(was: Indexed, is: Indexed, texts: UndoTexts): Promise<Undoing> {
  const erased = `The text of ${nameOf(was)} was replaced and has been erased: push it again from its source.`;
  const text = await texts.read(keyOf(is));
  const [gains, loses] = [without(was.access, is.access), without(is.access, was.access)];
  if (text === null || loses.length === 0) return { kind: "kept", reason: erased };
  if (gains.length > 0)
    return {
      kind: "kept",
      reason: `${erased} Its access list stays as it is: that of before was wider, and meant for another text.`,
    };
  return {
    kind: "step",
    step: indexing({ ...is, access: was.access }, is, text, `give ${nameOf(was)} its narrower access list back`),
    but: erased,
  };
}

const deletion = ({ datasource, documentId, access }: Indexed): Step => ({
  undo: `delete ${datasource}/${documentId}`,
  gains: [],
  loses: grantsOf(access),
  run: (commands, context) => done(commands.deleteDocument({ datasource, documentId }, context)),
});

function indexing(to: Indexed, from: Indexed | null, text: string, undo: string): Step {
  const document = reindexing(to, text);
  return {
    undo,
    gains: from === null ? grantsOf(to.access) : without(to.access, from.access),
    loses: from === null ? [] : without(from.access, to.access),
    run: async (commands, context) => {
      const result = await commands.indexDocument(document, context);
      if (!result.ok) return result;
      const { value, position } = result.value;
      return { ok: true, value: { value: value.outcome === "sent" ? null : value.message, position } };
    },
  };
}

/** A document as it was pushed. */
const reindexing = (data: Indexed, text: string): IndexDocument => ({
  ...data,
  body: { kind: "text", text, mimeType: data.mimeType, size: data.size, ...(data.file && { file: data.file }) },
});

const keyOf = ({ datasourceId, documentId, content }: Indexed) => ({
  stream: documentStream(datasourceId, documentId),
  reference: content,
});

const nameOf = ({ datasource, documentId }: Indexed): string => `${datasource}/${documentId}`;

const grantsOf = ({ anonymous, users, groups }: DocumentAccess): string[] => [
  ...(anonymous ? ["everyone registered"] : []),
  ...users,
  ...groups.map((group) => `group ${group}`),
];

/** Grants that the one gives and the other does not. Nobody can be added to everyone registered. */
const without = (access: DocumentAccess, other: DocumentAccess): string[] =>
  other.anonymous ? [] : grantsOf(access).filter((grant) => !grantsOf(other).includes(grant));

type PersonOrGroupFact = FactAbout<"person" | "group">;
type FactOfKind<Fact extends PersonOrGroupFact, Kind extends Fact["kind"]> = Extract<Fact, { readonly kind: Kind }>;

const kept = (reason: string): Undoing => ({ kind: "kept", reason });

/** Undoes a fact about a person or a group: that there is one, its name, or a membership. */
const undoPersonOrGroup = (fact: PersonOrGroupFact, history: FactHistory, names: Names): Promise<Undoing> =>
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
