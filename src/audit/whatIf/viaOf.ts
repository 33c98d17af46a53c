import { viaAnonymous, viaUser } from "../visibility/chains.js";
import type { Via } from "../historyQuestions.js";
import type { ChangedVisibility } from "./changedVisibility.js";
import type { HypotheticalEntities } from "./hypotheticalEntities.js";
import type { WhoMaySee } from "./whoMaySee.js";

/** The shortest chain through which a person sees a document, on a side where that is so. */
export function viaOf(
  { incarnation, person, document }: ChangedVisibility,
  side: WhoMaySee,
  numbers: HypotheticalEntities,
): Via {
  const granted = side.grants.from(document);
  if (granted.has(numbers.principal(incarnation, "anonymous", ""))) return viaAnonymous;
  if (granted.has(person)) return viaUser;
  // Each group with the one below it on the way from the person; breadth first, while the map grows.
  const below = new Map<number, number | null>();
  for (const group of side.members.from(person)) below.set(group, null);
  for (const group of below.keys()) {
    if ([...side.names.from(group)].some((name) => granted.has(name)))
      return { grant: "group", groups: namesDown(group, below, side, numbers) };
    for (const parent of side.nestings.from(group)) if (!below.has(parent)) below.set(parent, group);
  }
  return { grant: "group", groups: [] };
}

function namesDown(
  from: number,
  below: ReadonlyMap<number, number | null>,
  side: WhoMaySee,
  numbers: HypotheticalEntities,
): string[] {
  const names: string[] = [];
  for (let group: number | null = from; group !== null; group = below.get(group) ?? null)
    names.push(...Array.from(side.names.from(group), (name) => numbers.nameOf(name)));
  return names;
}
