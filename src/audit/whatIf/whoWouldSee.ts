import { toDocumentId } from "../../shared/ids.js";
import {
  documentName,
  mostCounted,
  type ChangedItem,
  type DifferenceQuestion,
  type HistoryAnswer,
} from "../historyQuestions.js";
import type { PermissionFacts } from "../ports/permissionHistory.js";
import type { ChangedVisibility } from "./changedVisibility.js";
import { differenceOf, type Difference } from "./difference.js";
import { viaOf } from "./viaOf.js";

/**
 * Who would gain or lose sight of what if these events happened next. However many there are:
 * {@link mostCounted} are counted.
 */
export function whoWouldSee(
  facts: PermissionFacts,
  { change, events }: DifferenceQuestion,
): HistoryAnswer<ChangedItem> {
  const difference = differenceOf(facts, events);
  const visibilityIntervals = difference.visibilityIntervals(change);
  const counted: ChangedVisibility[] = [];
  for (let next = visibilityIntervals.next(); next.done !== true; next = visibilityIntervals.next()) {
    counted.push(next.value);
    if (counted.length === mostCounted) break;
  }
  return { items: itemsOf(inTurn(counted, visibilityIntervals), difference, change), total: counted.length };
}

function* inTurn<Item>(first: Iterable<Item>, rest: Iterable<Item>): Generator<Item> {
  yield* first;
  yield* rest;
}

function* itemsOf(
  visibilityIntervals: Iterable<ChangedVisibility>,
  { before, after, numbers }: Difference,
  change: DifferenceQuestion["change"],
): Generator<ChangedItem> {
  const side = change === "gains" ? after : before;
  for (const visibilityInterval of visibilityIntervals) {
    const document = documentName(
      visibilityInterval.incarnation.name,
      toDocumentId(numbers.documentIdOf(visibilityInterval.document)),
    );
    yield {
      user_email: numbers.nameOf(visibilityInterval.person),
      document,
      via: viaOf(visibilityInterval, side, numbers),
    };
  }
}
