import type { DomainEvent } from "../../events/domainEvent.js";
import type { PermissionIntervals } from "../ports/permissionHistory.js";
import { applyEvents } from "./changes.js";
import { HypotheticalEntities } from "./hypotheticalEntities.js";
import { visibilityOfDocuments, visibilityOfPeople, type ChangedVisibility } from "./changedVisibility.js";
import { WhoMaySee } from "./whoMaySee.js";

/** Both sides of a change, with what differs between them. */
export interface Difference {
  readonly before: WhoMaySee;
  readonly after: WhoMaySee;
  readonly numbers: HypotheticalEntities;
  /** Who would gain sight of what, or lose it. Ends where nobody takes more. */
  changedFor(change: "gains" | "losses"): Generator<ChangedVisibility>;
}

/**
 * What events would change for whom, on top of what was so at a moment. Only people and documents that the events touch
 * are looked at; people who hold the same are looked at together.
 */
export function differenceOf(facts: PermissionIntervals, events: readonly DomainEvent[]): Difference {
  const [before, after, numbers] = [new WhoMaySee(facts), new WhoMaySee(facts), new HypotheticalEntities(facts)];
  const touched = applyEvents(events, after, numbers);
  for (const { people, groups } of touched) {
    for (const side of [before, after]) for (const person of side.peopleIn(groups)) people.add(person);
  }
  return {
    before,
    after,
    numbers,
    *changedFor(change) {
      const [without, withIt] = change === "gains" ? [before, after] : [after, before];
      for (const each of touched) {
        yield* visibilityOfPeople(each, { without, withIt, numbers });
        yield* visibilityOfDocuments(each, { without, withIt, numbers });
      }
    },
  };
}
