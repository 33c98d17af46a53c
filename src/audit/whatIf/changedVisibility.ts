import type { Touched } from "./changes.js";
import type { NumberedIncarnation, HypotheticalEntities } from "./hypotheticalEntities.js";
import type { WhoMaySee } from "./whoMaySee.js";

/** A person who sees a document on one side of a change and not on the other; by their numbers. */
export interface ChangedVisibility {
  readonly incarnation: NumberedIncarnation;
  readonly person: number;
  readonly document: number;
}

/** Both sides of a change: what is seen `withIt` and not `without` it is looked for. */
export interface Sides {
  readonly without: WhoMaySee;
  readonly withIt: WhoMaySee;
  readonly numbers: HypotheticalEntities;
}

/** What a person holds on one side besides being that person; empty for a person who is not there. */
type Held = ReadonlySet<number>;

const nothing: ReadonlySet<number> = new Set();

/**
 * Changes for people who are touched themselves. Those who hold the same are looked at once, except for what names them
 * in person.
 */
export function* visibilityOfPeople(touched: Touched, sides: Sides): Generator<ChangedVisibility> {
  const { incarnation, people, documents } = touched;
  const { without, withIt, numbers } = sides;
  const anonymous = numbers.principal(incarnation, "anonymous", "");
  const heldOn = (side: WhoMaySee, person: number): Held =>
    side.isThere(person, incarnation.number) ? new Set([anonymous, ...side.groupNamesOf(person)]) : nothing;
  const known = new Map<string, ReadonlySet<number>>();
  for (const person of people) {
    const [held, heldWithout] = [heldOn(withIt, person), heldOn(without, person)];
    if (held.size === 0) continue;
    const key = [...held, "", ...heldWithout].join();
    const seen = known.get(key) ?? throughHeld(held, heldWithout, documents, sides);
    known.set(key, seen);
    const namedWithout = heldWithout.size === 0 ? nothing : without.grants.to(person);
    for (const document of seen) if (!namedWithout.has(document)) yield { incarnation, person, document };
    for (const document of withIt.grants.to(person)) {
      const sawBefore = namedWithout.has(document) || shares(without.grants.from(document), heldWithout);
      if (!sawBefore && !seen.has(document)) yield { incarnation, person, document };
    }
  }
}

/** Documents that grant something that is held with the change, and nothing of what is held without it. */
function throughHeld(
  held: Held,
  heldWithout: Held,
  documents: ReadonlySet<number>,
  { without, withIt }: Sides,
): ReadonlySet<number> {
  const candidates = new Set<number>();
  const newlyHeld = [...held].filter((principal) => !heldWithout.has(principal));
  for (const principal of newlyHeld) for (const document of withIt.grants.to(principal)) candidates.add(document);
  for (const document of documents) if (shares(withIt.grants.from(document), held)) candidates.add(document);
  for (const document of candidates)
    if (shares(without.grants.from(document), heldWithout)) candidates.delete(document);
  return candidates;
}

/** Changes for people who are not touched, by documents that are: these people hold the same on both sides. */
export function* visibilityOfDocuments(
  { incarnation, people, documents }: Touched,
  { without, withIt, numbers }: Sides,
): Generator<ChangedVisibility> {
  const anonymous = numbers.principal(incarnation, "anonymous", "");
  for (const document of documents) {
    const grantedWithout = without.grants.from(document);
    const newlyGranted = [...withIt.grants.from(document)].filter((principal) => !grantedWithout.has(principal));
    const candidates = newlyGranted.flatMap((principal) => [...numbers.holders(incarnation, principal, withIt)]);
    for (const person of new Set(candidates)) {
      if (people.has(person) || !withIt.isThere(person, incarnation.number)) continue;
      if (!shares(grantedWithout, new Set([anonymous, person, ...without.groupNamesOf(person)])))
        yield { incarnation, person, document };
    }
  }
}

function shares(granted: ReadonlySet<number>, held: ReadonlySet<number>): boolean {
  for (const principal of granted) if (held.has(principal)) return true;
  return false;
}
