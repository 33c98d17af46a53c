import { match, P } from "ts-pattern";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { toldOfPeople } from "../../events/scope.js";
import { categoryOf, permissionCategories, type StreamName, groupMembersStream, idOf } from "../../events/streams.js";
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
import { undoDocument } from "./undoDocument.js";
import { factsIn, isWrittenBy, type FactHistory } from "./facts.js";
import { Names } from "./names.js";
import type { UndoLog, UndoTexts, PlannedStep, Undoing } from "./ports.js";
import { undoPersonOrGroup } from "./undoMembership.js";
import type { KeptEventAnswer, UndoRequest } from "./undo.js";

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
