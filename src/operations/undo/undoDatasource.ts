import { addedSubs, type Datasource, type DatasourceEvent } from "../../events/datasource.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { DatasourceId, DatasourceName } from "../../shared/ids.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import { evolve, initialState } from "../../../commands/datasource/decider.js";
import type { DatasourceFact, DatasourceField } from "./datasourceFacts.js";
import { isWrittenBy } from "./facts.js";
import { eventsOf, inWords, readIncarnation, type OtherWrites } from "./incarnation.js";
import { datasourceGone } from "./names.js";
import { done, type PlannedStep, type Undoing } from "./plannedStep.js";
import type { UndoLog, UndoTexts } from "./ports.js";
import { hasTexts, restoreDatasource } from "./restoreDatasource.js";
import type { UndoRequest } from "./undo.js";

/** What the undo of a datasource works with. */
export interface DatasourceUndo {
  readonly request: UndoRequest;
  readonly log: UndoLog;
  readonly texts: UndoTexts;
  readonly name: DatasourceName;
  readonly stream: readonly RecordedEvent[];
  /** End of the log as the plan is made. */
  readonly head: Position;
}

type Step = Omit<PlannedStep, "taken">;
type FieldFact = Extract<DatasourceFact, { readonly kind: "field" }>;
type SubFact = Extract<DatasourceFact, { readonly kind: "sub" }>;

/** What becomes of one incarnation, with everything that belongs to it. */
export type IncarnationUndoing = { readonly about: RecordedEvent; readonly undoing: Undoing };

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
    await readIncarnation(
      eventsOf(log, id, position, head),
      (recorded) => !isIn(recorded) || isWrittenBy(request, recorded),
    )
  ).others;
}

/**
 * A datasource that was registered is deleted, if all that was pushed into it is taken back as well; one that was
 * deleted is registered again, with everybody on it: the texts of its documents are erased, the rest is as if the
 * credential had not been.
 */
export async function undoIncarnations(
  { before, now, last }: Extract<DatasourceFact, { readonly kind: "incarnation" }>,
  given: DatasourceUndo,
): Promise<readonly IncarnationUndoing[]> {
  if (before === now) return [];
  const deleted = now === null ? [] : [{ about: registrationOf(now, given), undoing: await deletion(now, given) }];
  if (before === null) return deleted;
  const about =
    given.stream.findLast(({ event }) => event.type === "DatasourceDeleted" && event.data.datasourceId === before) ??
    last;
  const isTaken = deleted.some(({ undoing }) => undoing.kind === "kept");
  return [
    ...deleted,
    {
      about,
      undoing: isTaken
        ? kept(`The datasource ${given.name} of before is not registered again: its name is taken.`)
        : await restoration(before, given),
    },
  ];
}

async function deletion(id: DatasourceId, given: DatasourceUndo): Promise<Undoing> {
  const { name, log, request, head } = given;
  const after = toPosition(registrationOf(id, given).position - 1n);
  const { others, ...content } = await readIncarnation(eventsOf(log, id, after, head), (recorded) =>
    isWrittenBy(request, recorded),
  );
  if (others.first !== null)
    return kept(`${sentenceOfOthers(others)} So the datasource ${name} is not deleted: that would take all of it.`);
  const isAsPlanned = async (correlationId: string): Promise<boolean> => {
    const since = await readIncarnation(
      eventsOf(log, id, head, await log.head()),
      ({ metadata }) => metadata.correlationId === correlationId,
    );
    return since.others.first === null;
  };
  const what = inWords(content);
  const loses = content.documents.size === 0 ? [] : [`whoever sees its ${inWords({ documents: content.documents })}`];
  return plainStep(
    `delete the datasource ${name}${what === "" ? "" : `, with ${what}`}`,
    (commands, context) => done(commands.deleteDatasource({ name }, context)),
    { loses, isAsPlanned },
  );
}

async function restoration(id: DatasourceId, given: DatasourceUndo): Promise<Undoing> {
  const { name, log, texts, request, head, stream } = given;
  const isMeant = (recorded: RecordedEvent): boolean => !isWrittenBy(request, recorded);
  const declaring = stream.filter(
    ({ event, unreadable }) =>
      unreadable === undefined &&
      (event as DatasourceEvent).data.datasourceId === id &&
      event.type !== "DatasourceDeleted",
  );
  const datasource = declaring
    .filter(isMeant)
    .reduce((state, { event }) => evolve(state, event as DatasourceEvent), initialState());
  if (datasource === null) return kept(datasourceGone);
  const after = toPosition((declaring[0]?.position ?? 1n) - 1n);
  const content = await readIncarnation(eventsOf(log, id, after, head), isMeant);
  const former = { datasource, content, hasTexts: await hasTexts(log, texts, id, content) };
  const { documents, people, groups, memberships } = content;
  const what = inWords(former.hasTexts ? content : { people, groups, memberships });
  const commandCount = 1 + people.size + groups.size + memberships.size + (former.hasTexts ? documents.size : 0);
  const undoing = plainStep(
    `register the datasource ${name} again${what === "" ? "" : `, with ${what}`}`,
    (commands, context) => restoreDatasource(former, commands, context, log, texts),
    {
      commands: commandCount,
      gains: former.hasTexts ? [`whoever saw its ${inWords({ documents })}`] : [],
    },
  );
  if (former.hasTexts || documents.size === 0) return undoing;
  return {
    ...undoing,
    but: `The texts of its ${inWords({ documents })} were erased with it: push them again from their source.`,
  } as Undoing;
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
