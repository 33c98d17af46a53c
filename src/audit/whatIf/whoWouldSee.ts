import { toDocumentId } from "../../shared/ids.js";
import {
  documentName,
  mostCounted,
  type ChangedItem,
  type DifferenceQuestion,
  type HistoryAnswer,
} from "../historyQuestions.js";
import type { PermissionIntervals } from "../ports/permissionHistory.js";
import type { ChangedVisibility } from "./changedVisibility.js";
import { differenceOf, type Difference } from "./difference.js";
import { viaOf } from "./viaOf.js";

/**
 * Who would gain or lose sight of what, if these events were the next in the log. There may be any number; {@link
 * mostCounted} are counted.
 */
export function whoWouldSee(
  facts: PermissionIntervals,
  { change, events }: DifferenceQuestion,
): HistoryAnswer<ChangedItem> {
  const difference = differenceOf(facts, events);
  const changed = difference.changedFor(change);
  const counted: ChangedVisibility[] = [];
  for (let next = changed.next(); next.done !== true; next = changed.next()) {
    counted.push(next.value);
    if (counted.length === mostCounted) break;
  }
  return { items: itemsOf(inTurn(counted, changed), difference, change), total: counted.length };
}

function* inTurn<Item>(first: Iterable<Item>, rest: Iterable<Item>): Generator<Item> {
  yield* first;
  yield* rest;
}

function* itemsOf(
  changes: Iterable<ChangedVisibility>,
  { before, after, numbers }: Difference,
  change: DifferenceQuestion["change"],
): Generator<ChangedItem> {
  const side = change === "gains" ? after : before;
  for (const changed of changes) {
    const document = documentName(changed.incarnation.name, toDocumentId(numbers.documentIdOf(changed.document)));
    yield {
      user_email: numbers.nameOf(changed.person),
      document,
      via: viaOf(changed, side, numbers),
    };
  }
}
