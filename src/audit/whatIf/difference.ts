import type { DomainEvent } from "../../events/domainEvent.js";
import type { PermissionFacts } from "../permissionHistoryPorts.js";
import { applyEvents } from "./changes.js";
import { Newcomers } from "./newcomers.js";
import { sightsOfDocuments, sightsOfPeople, type ChangedSight } from "./changedSights.js";
import { WhoMaySee } from "./whoMaySee.js";

/** Both sides of a change, with what differs between them. */
export interface Difference {
  readonly before: WhoMaySee;
  readonly after: WhoMaySee;
  readonly numbers: Newcomers;
  /** Who would see what they don't see, or who would not see any more what they do; ends where nobody takes more. */
  sights(change: "gains" | "losses"): Generator<ChangedSight>;
}

/**
 * What events would change for whom, on top of what was so at a moment. Only people and documents that the events touch
 * are looked at; people who hold the same are looked at together.
 */
export function differenceOf(facts: PermissionFacts, events: readonly DomainEvent[]): Difference {
  const [before, after, numbers] = [new WhoMaySee(facts), new WhoMaySee(facts), new Newcomers(facts)];
  const touched = applyEvents(events, after, numbers);
  for (const { people, groups } of touched) {
    for (const side of [before, after]) for (const person of side.peopleIn(groups)) people.add(person);
  }
  return {
    before,
    after,
    numbers,
    *sights(change) {
      const [without, withIt] = change === "gains" ? [before, after] : [after, before];
      for (const each of touched) {
        yield* sightsOfPeople(each, { without, withIt, numbers });
        yield* sightsOfDocuments(each, { without, withIt, numbers });
      }
    },
  };
}
