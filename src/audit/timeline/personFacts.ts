import { groupMembersStream, userStream } from "../../events/streams.js";
import type { DatasourceId, Email } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import type { Origin } from "./intervals.js";
import type { FactAbout } from "./permissionFact.js";
import { personTimeline, type PersonTimeline } from "./personTimeline.js";
import type { StreamTimelines, TimelineKind } from "./streamTimelines.js";

/** Something that an event told of a person. */
interface PersonTold {
  readonly fact: FactAbout<"person">;
  readonly origin: Origin;
}

/** What a person's own stream tells. */
const ownFacts: TimelineKind<"person", PersonTold[]> = {
  about: "person",
  empty: () => [],
  follow: (told, fact, origin) => void told.push({ fact, origin }),
  cacheCost: (told) => 1 + told.length,
};

interface ToldOfMembers {
  readonly byPerson: Map<Email, PersonTold[]>;
  facts: number;
}

/** What the stream of groups' members tells of everybody. */
const factsOfMembers: TimelineKind<"person", ToldOfMembers> = {
  about: "person",
  empty: () => ({ byPerson: new Map(), facts: 0 }),
  follow(told, fact, origin) {
    const known = told.byPerson.get(fact.email);
    if (known === undefined) told.byPerson.set(fact.email, [{ fact, origin }]);
    else known.push({ fact, origin });
    told.facts++;
  },
  cacheCost: ({ byPerson, facts }) => 1 + byPerson.size + facts,
};

/**
 * The timeline of a person, of both streams that tell of one, complete up to `upTo` at least. Throws an
 * `UnreadableEvent` where one stands in them by then.
 */
export async function loadPerson(
  timelines: StreamTimelines,
  { datasourceId, email }: { readonly datasourceId: DatasourceId; readonly email: Email },
  upTo: Position,
): Promise<PersonTimeline> {
  const [own, members] = await Promise.all([
    timelines.load(ownFacts, userStream(datasourceId, email), upTo),
    timelines.load(factsOfMembers, groupMembersStream(datasourceId), upTo),
  ]);
  // What is later may be known of one of the streams alone.
  const told = [...own, ...(members.byPerson.get(email) ?? [])].filter(({ origin }) => origin.position <= upTo);
  const person = personTimeline.empty();
  for (const { fact, origin } of told.sort((a, b) => Number(a.origin.position - b.origin.position)))
    personTimeline.follow(person, fact, origin);
  return person;
}
