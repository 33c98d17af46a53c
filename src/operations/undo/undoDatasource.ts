import { addedSubs, type Datasource, type DatasourceEvent } from "../../events/datasource.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { DatasourceId, DatasourceName, DocumentId } from "../../shared/ids.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import { evolve, initialState, type DatasourceState } from "../../../commands/datasource/decider.js";
import { isWrittenBy } from "./facts.js";
import { datasourceGone } from "./names.js";
import { done, type PlannedStep, type Undoing, type UndoLog } from "./ports.js";
import { permissionCategories } from "../../events/streams.js";
import { counted } from "../../shared/texts.js";
import type { UndoRequest } from "./undo.js";
import type { SubPlace } from "../../../commands/datasource/subTree.js";

/** What the undo of a datasource works with. */
export interface DatasourceUndo {
  readonly request: UndoRequest;
  readonly log: UndoLog;
  readonly name: DatasourceName;
  readonly stream: readonly RecordedEvent[];
  /** End of the log as the plan is made. */
  readonly head: Position;
}

type Step = Omit<PlannedStep, "taken">;
type FieldFact = Extract<DatasourceFact, { readonly kind: "field" }>;
type SubFact = Extract<DatasourceFact, { readonly kind: "sub" }>;

/** What becomes of one incarnation, with everything that belongs to it. */
type IncarnationUndoing = { readonly about: RecordedEvent; readonly undoing: Undoing };

const kept = (reason: string): Undoing => ({ kind: "kept", reason });
const plainStep = (undo: string, run: Step["run"], more: Partial<Step> = {}): Undoing => ({
  kind: "step",
  step: { undo, gains: [], loses: [], run, ...more },
});

const fieldWords: { readonly [Field in DatasourceField]: string } = {
  displayName: "display name",
  icon: "icon",
  objectDefinitions: "object definitions",
  defaultAccess: "default access",
};

/** A field of a datasource goes back to what it was. */
export function undoField({ datasourceId, field, before, now }: FieldFact, given: DatasourceUndo): Undoing {
  if (JSON.stringify(before) === JSON.stringify(now)) return { kind: "nothing" };
  if (idNow(given) !== datasourceId) return kept(datasourceGone);
  const { name } = given;
  const value = field === "displayName" || field === "defaultAccess" ? ` to ${String(before)}` : "";
  return plainStep(
    `put the ${fieldWords[field]} of ${name} back${value}`,
    (commands, context) => done(commands.updateDatasource({ name, [field]: before }, context)),
    asPlanned(given),
  );
}

/** A sub is removed or declared again. */
export async function undoSub(
  { datasourceId, place, before, now, last }: SubFact,
  given: DatasourceUndo,
): Promise<Undoing> {
  if (before === now) return { kind: "nothing" };
  if (idNow(given) !== datasourceId) return kept(datasourceGone);
  const { name } = given;
  const { key, parentKey } = place;
  const label = `the sub ${parentKey === null ? key : `${parentKey}/${key}`} of ${name}`;
  if (before !== null && now !== null)
    return kept(
      `The name of ${label} was ${before}. A sub is renamed by removing it alone, which takes its documents out of it.`,
    );
  if (before !== null) {
    const sub = { name: before, key, parentKey, subs: [] };
    const undoing = plainStep(`declare ${label} again`, (commands, context) =>
      done(commands.addSub({ datasource: name, sub }, context)),
    );
    return {
      ...undoing,
      but: `Documents that were in ${label} stay outside of it until they are pushed again.`,
    } as Undoing;
  }
  const children = childrenOfOthers(place, given);
  const used = children.first === null ? await useOfSub(place, datasourceId, last, given) : children;
  if (used.first !== null) return kept(`${sentenceOfOthers(used)} So ${label} stays.`);
  return plainStep(
    `remove ${label}`,
    (commands, context) => done(commands.removeSub({ datasource: name, key, parentKey }, context)),
    asPlanned(given),
  );
}

/** Subs that others have added to it, and that would go with it. */
function childrenOfOthers({ key, parentKey }: SubFact["place"], given: DatasourceUndo): OtherWrites {
  const present = parentKey === null ? (stateNow(given)?.subs.find((sub) => sub.key === key)?.subs ?? []) : [];
  const lastAdded = new Map<string, RecordedEvent>();
  for (const recorded of given.stream) {
    if (recorded.event.type !== "SubAdded") continue;
    for (const added of addedSubs(recorded.event.data)) if (added.parentKey === key) lastAdded.set(added.key, recorded);
  }
  const added = present.flatMap((child) => lastAdded.get(child.key) ?? []);
  const addedByOthers = added.filter((recorded) => !isWrittenBy(given.request, recorded));
  return { first: addedByOthers[0] ?? null, count: addedByOthers.length };
}

/** Documents that others have put into it since it was added. */
async function useOfSub(
  { key, parentKey }: SubFact["place"],
  id: DatasourceId,
  { position }: RecordedEvent,
  { log, request, head }: DatasourceUndo,
): Promise<OtherWrites> {
  const isIn = ({ event }: RecordedEvent): boolean =>
    event.type === "DocumentIndexed" &&
    (parentKey === null ? event.data.sub === key : event.data.sub === parentKey && event.data.childSub === key);
  return (
    await writesTo(eventsOf(log, id, position, head), (recorded) => !isIn(recorded) || isWrittenBy(request, recorded))
  ).others;
}

/**
 * A datasource that was registered is deleted, if nothing was pushed into it but what is taken back. A deletion is
 * irreversible (spec: Datasources): what was deleted is not registered again.
 */
export async function undoIncarnations(
  { before, now, last }: Extract<DatasourceFact, { readonly kind: "incarnation" }>,
  given: DatasourceUndo,
): Promise<readonly IncarnationUndoing[]> {
  if (before === now) return [];
  const registered = now === null ? [] : [{ about: registrationOf(now, given), undoing: await deletion(now, given) }];
  if (before === null) return registered;
  const about =
    given.stream.findLast(({ event }) => event.type === "DatasourceDeleted" && event.data.datasourceId === before) ??
    last;
  return [...registered, { about, undoing: kept(deletedForGood(given.name)) }];
}

const deletedForGood = (name: DatasourceName): string =>
  `The deletion of the datasource ${name} is irreversible: register it, and push everything again from its source.`;

async function deletion(id: DatasourceId, given: DatasourceUndo): Promise<Undoing> {
  const { name, log, request, head } = given;
  const after = toPosition(registrationOf(id, given).position - 1n);
  const { others, documents } = await writesTo(eventsOf(log, id, after, head), (recorded) =>
    isWrittenBy(request, recorded),
  );
  if (others.first !== null)
    return kept(`${sentenceOfOthers(others)} So the datasource ${name} is not deleted: that would take all of it.`);
  const isAsPlanned = async (correlationId: string): Promise<boolean> => {
    const since = await writesTo(
      eventsOf(log, id, head, await log.head()),
      ({ metadata }) => metadata.correlationId === correlationId,
    );
    return since.others.first === null;
  };
  return plainStep(
    `delete the datasource ${name}, with everything in it`,
    (commands, context) => done(commands.deleteDatasource({ name }, context)),
    { loses: documents === 0 ? [] : [`whoever sees its ${counted(documents, "document")}`], isAsPlanned },
  );
}

/** What was written to an incarnation besides what is meant. */
interface OtherWrites {
  readonly first: RecordedEvent | null;
  readonly count: number;
}

/** Events that are of the incarnation, after one position, up to and including another. */
async function* eventsOf(
  log: UndoLog,
  id: DatasourceId,
  after: Position,
  upTo: Position,
): AsyncGenerator<RecordedEvent> {
  for await (const events of log.readRange(after, upTo, permissionCategories)) {
    for (const recorded of events) {
      if (recorded.unreadable !== undefined || !("datasourceId" in recorded.event.data)) continue;
      if (recorded.event.data.datasourceId === id) yield recorded;
    }
  }
}

/** How many documents those events leave that are meant, and what others there are. Reads the log. */
async function writesTo(
  events: AsyncIterable<RecordedEvent>,
  isMeant: (recorded: RecordedEvent) => boolean,
): Promise<{ readonly documents: number; readonly others: OtherWrites }> {
  const documents = new Set<DocumentId>();
  let first: RecordedEvent | null = null;
  let count = 0;
  for await (const recorded of events) {
    const { event } = recorded;
    if (!isMeant(recorded)) {
      first ??= recorded;
      count++;
    } else if (event.type === "DocumentIndexed") documents.add(event.data.documentId);
    else if (event.type === "DocumentDeleted") documents.delete(event.data.documentId);
  }
  return { documents: documents.size, others: { first, count } };
}

function registrationOf(id: DatasourceId, { stream }: DatasourceUndo): RecordedEvent {
  const found = stream.find(({ event }) => event.type === "DatasourceRegistered" && event.data.datasourceId === id);
  if (found === undefined) throw new Error("A datasource has no registration.");
  return found;
}

const stateNow = ({ stream }: DatasourceUndo): Datasource | null =>
  stream
    .filter(({ unreadable }) => unreadable === undefined)
    .reduce((state, { event }) => evolve(state, event as DatasourceEvent), initialState());

const idNow = (given: DatasourceUndo): DatasourceId | null => stateNow(given)?.datasourceId ?? null;

/** Whole values are put back: what anybody has written to the datasource since the plan was made would be lost. */
function asPlanned({ stream, log }: DatasourceUndo): Pick<Step, "isAsPlanned"> {
  const newest = stream.at(-1);
  return {
    isAsPlanned: async (correlationId) => {
      const last = newest === undefined ? null : await log.readLast(newest.stream);
      return (
        last === null ||
        last.position <= (newest?.position ?? beginning) ||
        last.metadata.correlationId === correlationId
      );
    },
  };
}

function sentenceOfOthers({ first, count }: OtherWrites): string {
  if (first === null) return "";
  const { position, event, metadata } = first;
  return `${metadata.by} has written to it too: ${event.type} at position ${position}${count === 1 ? "" : `, and ${count - 1} more`}.`;
}

const fields = ["displayName", "icon", "objectDefinitions", "defaultAccess"] as const;
type DatasourceField = (typeof fields)[number];

/**
 * What the stream of a datasource's name says over time: which incarnation the name stands for, and the fields and subs
 * of each.
 */
export type DatasourceFact =
  | Changed<{ readonly kind: "incarnation" }, DatasourceId>
  | Changed<
      { readonly kind: "field"; readonly datasourceId: DatasourceId; readonly field: DatasourceField },
      Datasource[DatasourceField]
    >
  /** The value is the sub's name. */
  | Changed<{ readonly kind: "sub"; readonly datasourceId: DatasourceId; readonly place: SubPlace }, string>;

type Changed<What, Value> = What & {
  /** null: there was none, or there is none now. */
  readonly before: Value | null;
  readonly now: Value | null;
  /** The credential's newest event about it in the stretch. */
  readonly last: RecordedEvent;
  /**
   * The newest later event about it: by another credential after this one's first event, or by anybody after this one's
   * last. null: there is none.
   */
  readonly since: RecordedEvent | null;
};

interface Change {
  readonly what: object;
  readonly value: unknown;
  readonly recorded: RecordedEvent;
}

/** The facts that the credential has changed in the stretch. A sub that goes with its parent is changed by that. */
export function datasourceFactsIn(stream: readonly RecordedEvent[], request: UndoRequest): readonly DatasourceFact[] {
  const changes = new Map<string, Change[]>();
  let state: DatasourceState = initialState();
  for (const recorded of stream.filter(({ unreadable }) => unreadable === undefined)) {
    const event = recorded.event as DatasourceEvent;
    const before: DatasourceState = state;
    state = evolve(state, event);
    for (const [what, value] of changedBy(event, before)) {
      const key = JSON.stringify(what);
      changes.set(key, [...(changes.get(key) ?? []), { what, value, recorded }]);
    }
  }
  return [...changes.values()].flatMap((changesOfFact) => factIn(changesOfFact, request));
}

function factIn(changes: readonly Change[], request: UndoRequest): readonly DatasourceFact[] {
  const isTheirs = ({ recorded }: Change): boolean => isWrittenBy(request, recorded);
  const first = changes.findIndex(isTheirs);
  const last = changes.findLast(isTheirs);
  if (last === undefined) return [];
  const since = changes.slice(first).findLast((change) => !isTheirs(change))?.recorded ?? null;
  return [
    {
      ...last.what,
      before: changes[first - 1]?.value ?? null,
      now: changes.at(-1)?.value ?? null,
      last: last.recorded,
      since,
    } as unknown as DatasourceFact,
  ];
}

type ChangedValue = readonly [what: object, value: unknown];

function changedBy(event: DatasourceEvent, before: DatasourceState): readonly ChangedValue[] {
  const { datasourceId } = event.data;
  const sub = (place: SubPlace, name: string | null): ChangedValue => [
    { kind: "sub", datasourceId, place: { key: place.key, parentKey: place.parentKey } },
    name,
  ];
  switch (event.type) {
    case "DatasourceRegistered":
      return [
        [{ kind: "incarnation" }, datasourceId],
        ...fieldsIn(event.data),
        ...placesIn(event.data).map((place) => sub(place, place.name)),
      ];
    case "DatasourceUpdated":
      return fieldsIn(event.data);
    case "DatasourceDeleted":
      return [[{ kind: "incarnation" }, null]];
    case "SubAdded":
      // Taken back in this order: nested ones would be gone with their parent.
      return addedSubs(event.data)
        .toReversed()
        .map((place) => sub(place, place.name));
    case "SubRemoved": {
      const { key, parentKey } = event.data;
      const children = parentKey === null ? placesIn(before).filter((place) => place.parentKey === key) : [];
      return [sub(event.data, null), ...children.map((child) => sub(child, null))];
    }
  }
}

const fieldsIn = (data: Partial<Datasource> & Pick<Datasource, "datasourceId">): readonly ChangedValue[] =>
  fields.flatMap((field) =>
    data[field] === undefined ? [] : [[{ kind: "field", datasourceId: data.datasourceId, field }, data[field]]],
  );

const placesIn = (datasource: DatasourceState): readonly (SubPlace & { readonly name: string })[] =>
  (datasource?.subs ?? []).flatMap(({ name, key, subs }) => [
    { name, key, parentKey: null },
    ...subs.map((child) => ({ ...child, parentKey: key })),
  ]);
