import { toDocumentId } from "../../../src/shared/ids.js";
import { documentName, mostCounted, type ChangedItem, type DifferenceQuestion, type HistoryAnswer } from "../historyQuestions.js";
import type { PermissionFacts } from "../permissionHistoryPorts.js";
import type { ChangedSight } from "./changedSights.js";
import { differenceOf, type Difference } from "./difference.js";
import { viaOf } from "./viaOf.js";

/** Who would gain sight of what, or lose it, were these events to happen next. */
export function whoWouldSee(facts: PermissionFacts, { change, events }: DifferenceQuestion): HistoryAnswer<ChangedItem> {
  const difference = differenceOf(facts, events);
  const sights: ChangedSight[] = [];
  for (const sight of difference.sights(change)) {
    sights.push(sight);
    if (sights.length === mostCounted) break;
  }
  return { items: itemsOf(sights, difference, change), total: sights.length };
}

function* itemsOf(sights: readonly ChangedSight[], { before, after, numbers }: Difference, change: DifferenceQuestion["change"]): Generator<ChangedItem> {
  const side = change === "gains" ? after : before;
  for (const sight of sights) {
    const document = documentName(sight.generation.name, toDocumentId(numbers.documentIdOf(sight.document)));
    yield { user_email: numbers.nameOf(sight.person), document, via: viaOf(sight, side, numbers) };
  }
}
