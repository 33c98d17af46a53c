import { toDocumentId } from "../../shared/ids.js";
import { documentName, mostCounted, type ChangedItem, type DifferenceQuestion, type HistoryAnswer } from "../historyQuestions.js";
import type { PermissionFacts } from "../permissionHistoryPorts.js";
import type { ChangedSight } from "./changedSights.js";
import { differenceOf, type Difference } from "./difference.js";
import { viaOf } from "./viaOf.js";

/** Who would gain sight of what, or lose it, were these events to happen next. However many there are: {@link mostCounted} are counted. */
export function whoWouldSee(facts: PermissionFacts, { change, events }: DifferenceQuestion): HistoryAnswer<ChangedItem> {
  const difference = differenceOf(facts, events);
  const sights = difference.sights(change);
  const counted: ChangedSight[] = [];
  for (let next = sights.next(); next.done !== true; next = sights.next()) {
    counted.push(next.value);
    if (counted.length === mostCounted) break;
  }
  return { items: itemsOf(inTurn(counted, sights), difference, change), total: counted.length };
}

function* inTurn<Item>(first: Iterable<Item>, rest: Iterable<Item>): Generator<Item> {
  yield* first;
  yield* rest;
}

function* itemsOf(sights: Iterable<ChangedSight>, { before, after, numbers }: Difference, change: DifferenceQuestion["change"]): Generator<ChangedItem> {
  const side = change === "gains" ? after : before;
  for (const sight of sights) {
    const document = documentName(sight.generation.name, toDocumentId(numbers.documentIdOf(sight.document)));
    yield { user_email: numbers.nameOf(sight.person), document, via: viaOf(sight, side, numbers) };
  }
}
