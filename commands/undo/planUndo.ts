import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { categoryOf, type StreamCategory, type StreamName } from "../../src/events/streams.js";
import { beginning, toPosition } from "../../src/shared/position.js";
import { undoDocument } from "./undoDocument.js";
import { factsIn, type FactHistory } from "./facts.js";
import { Names } from "./names.js";
import type { UndoLog, UndoTexts } from "./ports.js";
import { undoGroupFact, undoUserFact } from "./undoMembership.js";
import type { KeptEventAnswer, UndoRequest } from "./undo.js";
import type { PlannedStep, Undoing } from "./plannedStep.js";

/** What is to be done, in this order, and what stays. */
export interface UndoPlan {
  readonly events: number;
  readonly steps: readonly PlannedStep[];
  readonly changedSince: readonly KeptEventAnswer[];
  readonly notRestorable: readonly KeptEventAnswer[];
}

/** Whose events can be taken back. */
const categories: readonly StreamCategory[] = ["datasource", "groupGraph", "user", "document"];

/**
 * Works out what takes back the writes of a credential in a stretch of the log: for every fact that it changed, what
 * restores the state before its first change there. What anybody has changed since is left alone.
 */
export async function planUndo(request: UndoRequest, log: UndoLog, texts: UndoTexts): Promise<UndoPlan> {
  const [streams, events] = await streamsWritten(request, log);
  const names = new Names(log);
  const plan = { events, steps: [] as PlannedStep[], changedSince: [] as KeptEventAnswer[], notRestorable: [] as KeptEventAnswer[] };
  for (const stream of streams) {
    for (const fact of factsIn(await log.readStream(stream, 0), request)) {
      if (fact.since !== null) plan.changedSince.push(keptBecause(fact.last, sinceSentence(fact.since)));
      else sort(await undoing(fact, names, texts), fact, plan);
    }
  }
  // The newest first; names of groups last, because everything else calls groups what they are called now.
  const isName = ({ taken }: PlannedStep): boolean => taken.event.type === "GroupRenamed";
  plan.steps.sort((a, b) => Number(isName(a)) - Number(isName(b)) || (a.taken.position < b.taken.position ? 1 : -1));
  return plan;
}

async function streamsWritten({ from, to, by }: UndoRequest, log: UndoLog): Promise<readonly [ReadonlySet<StreamName>, number]> {
  const streams = new Set<StreamName>();
  let count = 0;
  const head = await log.head();
  const after = from > beginning ? toPosition(from - 1n) : beginning;
  for await (const events of log.readRange(after, to < head ? to : head, categories)) {
    const theirs = events.filter(({ metadata, unreadable }) => metadata.by === by && unreadable === undefined);
    for (const { stream } of theirs) streams.add(stream);
    count += theirs.length;
  }
  return [streams, count];
}

function undoing(fact: FactHistory, names: Names, texts: UndoTexts): Promise<Undoing> {
  const category = categoryOf(fact.last.stream);
  if (category === "document") return undoDocument(fact, names, texts);
  if (category === "user") return undoUserFact(fact, names);
  if (category === "groupGraph") return undoGroupFact(fact, names);
  return Promise.resolve({ kind: "kept", reason: "What a datasource is called and made of is not taken back here: change it, or delete it, by hand." });
}

function sort(undo: Undoing, { last }: FactHistory, plan: { readonly steps: PlannedStep[]; readonly notRestorable: KeptEventAnswer[] }): void {
  if (undo.kind === "kept") plan.notRestorable.push(keptBecause(last, undo.reason));
  if (undo.kind === "step") plan.steps.push({ ...undo.step, taken: last });
  if (undo.kind === "step" && undo.but !== undefined) plan.notRestorable.push(keptBecause(last, undo.but));
}

const keptBecause = ({ position, stream, event }: RecordedEvent, reason: string): KeptEventAnswer => ({ position: position.toString(), stream, event: event.type, reason });

const sinceSentence = ({ position, event, metadata: { by, at } }: RecordedEvent): string => `${by} has changed it since: ${event.type} at position ${position}, ${at}.`;
